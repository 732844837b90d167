import type { Clock } from '../runtime/clock.ts';

/** A clock with timers. The nodes of a slot share its origin. */
export interface TimerClock extends Clock {
  /**
   * Calls `act` once, when the clock shows `atUs` microseconds. If that time has passed, calls it in a later turn.
   *
   * @returns a function that cancels the call.
   */
  at(atUs: number, act: () => void): () => void;
}

/** Returns a clock with timers of the event loop. A delay is rounded up to whole milliseconds. */
export function withTimers(clock: Clock): TimerClock {
  return {
    nowUs: () => clock.nowUs(),
    at(atUs, act) {
      const timeout = setTimeout(act, Math.max(0, Math.ceil((atUs - clock.nowUs()) / 1000)));
      return () => clearTimeout(timeout);
    },
  };
}
