import type { Clock } from './clock.ts';

/** Clock that counts from the start of this process or page. All nodes in it share this clock. */
export const processClock: Clock = { nowUs: () => Math.floor(performance.now() * 1000) };

/**
 * Returns a clock whose origin is now, in any environment with `performance`: for a page, or for the nodes of one
 * process.
 */
export function clockFromNow(): Clock {
  const originMs = performance.now();
  return { nowUs: () => Math.floor((performance.now() - originMs) * 1000) };
}
