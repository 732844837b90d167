import { setFlagsFromString } from 'node:v8';

/** Total number of nodes over all runs from which the gain exceeds the time of compiling. */
const worthFrom = 32_768;

/**
 * Makes the engine inline more calls in hot code, before a large run or many runs: functions of up to 3,500 bytes of
 * bytecode instead of 920. A message passes through many small functions. See docs/guides/simulate.md.
 *
 * @param nodes total number of nodes of all following runs.
 * @returns whether the number is large enough.
 */
export function inlineMore(nodes: number): boolean {
  if (nodes < worthFrom) return false;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3500');
  return true;
}
