/** Monotonic time. Nodes with the same clock, or with clocks of one origin on one machine, have a common start. */
export interface Clock {
  /** Returns integer µs since the clock's origin; negative before the origin. */
  nowUs(): number;
}

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
