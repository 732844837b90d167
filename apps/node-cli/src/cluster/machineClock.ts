import { monotonicClock } from '@tutti/transports/raw';

/** The time of this machine, the same in all of its processes. */
export const machineClock = monotonicClock(0n);

/** Between telling the processes when to start and the start, so that the last one hears of it in time. */
export const leadMs = 50;

/** A common start that all processes can still hear of, µs by the machine's clock. */
export function nextStartUs(): number {
  return machineClock.nowUs() + leadMs * 1000;
}
