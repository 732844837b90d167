import type { Clock } from './clock.ts';

/** Time since this process or page began: one clock for all nodes in it. */
export const processClock: Clock = { nowUs: () => Math.floor(performance.now() * 1000) };

/**
 * Returns a clock whose zero is now, in any environment with `performance`: for a page, or for the nodes of one
 * process.
 */
export function clockFromNow(): Clock {
  const originMs = performance.now();
  return { nowUs: () => Math.floor((performance.now() - originMs) * 1000) };
}
