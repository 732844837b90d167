import type { Clock } from './clock.ts';

/** The time since this process or page began: one clock for all nodes in it. */
export const processClock: Clock = { nowUs: () => Math.floor(performance.now() * 1000) };

/** A clock whose zero is now, wherever there is a `performance`: for a page, or for the nodes of one process. */
export function clockFromNow(): Clock {
  const originMs = performance.now();
  return { nowUs: () => Math.floor((performance.now() - originMs) * 1000) };
}
