/** Monotonic time. Nodes with the same clock, or with clocks of one origin on one machine, have a common start. */
export interface Clock {
  /** Returns integer µs since the clock's origin; negative before the origin. */
  nowUs(): number;
}

/** Returns the machine's monotonic time, ns. It is the same for all processes of the machine. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** Returns a clock whose origin is the instant `originNs` of {@link monotonicNs}. */
export function monotonicClock(originNs: bigint): Clock {
  return { nowUs: () => Math.floor(Number(monotonicNs() - originNs) / 1000) };
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
