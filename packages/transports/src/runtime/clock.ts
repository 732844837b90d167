/**
 * Monotonic time. Nodes with the same clock, or with clocks of the same origin on one machine, can start at a common
 * time.
 */
export interface Clock {
  /** Returns the time since the clock's origin in integer µs; the value is negative before the origin. */
  nowUs(): number;
}

/** Clock that counts from the start of this process or page. All nodes of the process or page share this clock. */
export const processClock: Clock = { nowUs: () => Math.floor(performance.now() * 1000) };

/**
 * Returns a clock whose origin is the time of the call, in any environment with `performance`: for a browser page, or
 * for the nodes of one process.
 */
export function clockFromNow(): Clock {
  const originMs = performance.now();
  return { nowUs: () => Math.floor((performance.now() - originMs) * 1000) };
}

/** A clock with timers. The nodes of a slot share the clock's origin. */
export interface TimerClock extends Clock {
  /**
   * Calls `act` once, when the clock shows `atUs` microseconds. If that time has already passed, calls `act` in a later
   * turn.
   *
   * @returns a function that cancels the pending call.
   */
  at(atUs: number, act: () => void): () => void;
}

/** Maximum delay of a timer in the event loop, ms (about 25 days). A longer timer would expire immediately. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Returns a clock with event-loop timers, whose delays are rounded up to whole milliseconds. A timer that expires before
 * the clock shows the time is set again.
 */
export function withTimers(clock: Clock): TimerClock {
  return {
    nowUs: () => clock.nowUs(),
    at(atUs, act) {
      let timeout: ReturnType<typeof setTimeout>;
      const wait = (): void => {
        const ms = Math.max(0, Math.ceil((atUs - clock.nowUs()) / 1000));
        timeout = setTimeout(() => (clock.nowUs() < atUs ? wait() : act()), Math.min(ms, maxDelayMs));
      };
      wait();
      return () => clearTimeout(timeout);
    },
  };
}
