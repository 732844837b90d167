import { setFlagsFromString } from 'node:v8';

/** Number of nodes in all runs together from which the gain exceeds the time of compiling. */
const worthFrom = 32_768;

/**
 * Lets the engine inline more calls in hot code, before a large run or many runs: functions of 3,500 bytes of bytecode
 * instead of 920. A message goes through many small functions. See docs/guides/simulate.md.
 *
 * @param nodes of all runs that follow.
 * @returns whether they are enough.
 */
export function inlineMore(nodes: number): boolean {
  if (nodes < worthFrom) return false;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3500');
  return true;
}
