import type { Clock } from './clock.ts';

/** Returns the machine's monotonic time, ns. It is the same for all processes of the machine. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** Returns a clock whose origin is the instant `originNs` of {@link monotonicNs}. */
export function monotonicClock(originNs: bigint): Clock {
  return { nowUs: () => Math.floor(Number(monotonicNs() - originNs) / 1000) };
}
