import { setFlagsFromString } from 'node:v8';

/** Number of nodes in all runs together from which the gain exceeds the time of compiling. */
const worthFrom = 32_768;

/**
 * Before a large run, or many runs: has the engine inline more calls where it compiles what is hot, 3,500 bytes of bytecode a
 * function instead of 920. A message goes through many small functions. See docs/simulation.md.
 *
 * @param nodes of all runs that follow.
 * @returns whether they are enough.
 */
export function inlineMore(nodes: number): boolean {
  if (nodes < worthFrom) return false;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3500');
  return true;
}
