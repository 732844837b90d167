/** Monotonic time. Nodes that share a clock, or clocks of one origin on one machine, share their common start. */
export interface Clock {
  /** Integer microseconds since the clock's origin; negative before it. */
  nowUs(): number;
}

/** The machine's monotonic time, nanoseconds; the same for all processes of the machine. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** A clock whose zero is the instant `originNs` of {@link monotonicNs}. */
export function monotonicClock(originNs: bigint): Clock {
  return { nowUs: () => Math.floor(Number(monotonicNs() - originNs) / 1000) };
}
