import type { Clock } from './clock.ts';

/** A clock whose zero is now, wherever there is a `performance`: for a page, or for the nodes of one process. */
export function clockFromNow(): Clock {
  const originMs = performance.now();
  return { nowUs: () => Math.floor((performance.now() - originMs) * 1000) };
}
