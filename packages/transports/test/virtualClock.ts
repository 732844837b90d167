import type { TimerClock } from '../src/runtime/clock.ts';

interface Timer {
  readonly atUs: number;
  readonly act: () => void;
}

/** A clock that advances to the next timer when no activity is in progress, at any speed of the machine. */
export class VirtualClock implements TimerClock {
  #nowUs = 0;
  #timers: Timer[] = [];

  nowUs(): number {
    return this.#nowUs;
  }

  at(atUs: number, act: () => void): () => void {
    const timer = { atUs, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Runs all timers. @param isIdle whether no activity is in progress; it must hold in several turns in a row. */
  async run(isIdle: () => boolean): Promise<void> {
    for (;;) {
      for (let quiet = 0; quiet < 8; quiet++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!isIdle()) quiet = 0;
      }
      const next = this.#timers.toSorted((a, b) => a.atUs - b.atUs)[0];
      if (next === undefined) return;
      this.#nowUs = Math.max(this.#nowUs, next.atUs);
      const due = this.#timers.filter(({ atUs }) => atUs === next.atUs);
      this.#timers = this.#timers.filter(({ atUs }) => atUs !== next.atUs);
      for (const { act } of due) act();
    }
  }
}
