import type { Clock } from '../runtime/clock.ts';

/** A clock with timers. The nodes of a slot share its origin. */
export interface TimerClock extends Clock {
  /**
   * Calls `act` once, when the clock shows `atUs`, or in a later turn where that has passed.
   *
   * @returns a function that cancels the call.
   */
  at(atUs: number, act: () => void): () => void;
}

/** A clock with timers of the event loop, which are rounded up to milliseconds. */
export function withTimers(clock: Clock): TimerClock {
  return {
    nowUs: () => clock.nowUs(),
    at(atUs, act) {
      const timeout = setTimeout(act, Math.max(0, Math.ceil((atUs - clock.nowUs()) / 1000)));
      return () => clearTimeout(timeout);
    },
  };
}
