import { setFlagsFromString } from 'node:v8';

/** From this many nodes on, of all runs together, they take long enough to gain more by it than compiling takes. */
const worthFrom = 32_768;

/**
 * Before a large run, or many runs: has the engine inline more calls where it compiles what is hot, 3,500 bytes of bytecode a
 * function instead of 920. A message goes through many small functions. See docs/guides/simulate.md.
 *
 * @param nodes of all runs that follow.
 * @returns whether they are enough.
 */
export function inlineMore(nodes: number): boolean {
  if (nodes < worthFrom) return false;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3500');
  return true;
}
