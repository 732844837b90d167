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

/** A clock with timers. The nodes of a slot share its origin. */
export interface TimerClock extends Clock {
  /**
   * Calls `act` once, when the clock shows `atUs` microseconds. If that time has passed, calls it in a later turn.
   *
   * @returns a function that cancels the call.
   */
  at(atUs: number, act: () => void): () => void;
}

/** Maximum delay of a timer in the event loop, ms (about 25 days). A longer timer would expire immediately. */
const longestMs = 2 ** 31 - 1;

/** Returns a clock with timers of the event loop, whose delays are rounded up to milliseconds. */
export function withTimers(clock: Clock): TimerClock {
  return {
    nowUs: () => clock.nowUs(),
    at(atUs, act) {
      let timeout: ReturnType<typeof setTimeout>;
      const wait = (): void => {
        const ms = Math.max(0, Math.ceil((atUs - clock.nowUs()) / 1000));
        timeout = setTimeout(ms > longestMs ? wait : act, Math.min(ms, longestMs));
      };
      wait();
      return () => clearTimeout(timeout);
    },
  };
}
