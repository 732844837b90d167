/** Counters this far behind the highest seen are refused, seen or not: what RFC 4303 calls the anti-replay window. */
export const replayWindow = 64;

/**
 * Remembers which packet counters of one sender were accepted, in constant memory: the highest, and one bit for each of
 * the 64 up to it. UDP reorders, so that "higher than the last" would refuse honest packets.
 */
export class ReplayWindow {
  #highest = -1;
  /** Bit b: counter `highest - b` was accepted, b in 0..31. */
  #recent = 0;
  /** Bit b: counter `highest - 32 - b` was accepted. */
  #older = 0;

  /** Whether this counter could still be accepted: not seen, and not too old to know. */
  isFresh(counter: number): boolean {
    const behind = this.#highest - counter;
    if (behind < 0) return true;
    if (behind >= replayWindow) return false;
    return behind < 32 ? ((this.#recent >>> behind) & 1) === 0 : ((this.#older >>> (behind - 32)) & 1) === 0;
  }

  /** Marks a counter as seen. To be called only once its packet proved genuine, or a forger could close the window. */
  accept(counter: number): void {
    const ahead = counter - this.#highest;
    if (ahead > 0) {
      this.#shift(ahead);
      this.#highest = counter;
      this.#recent |= 1;
    } else if (-ahead < 32) this.#recent |= 1 << -ahead;
    else if (-ahead < replayWindow) this.#older |= 1 << (-ahead - 32);
  }

  #shift(by: number): void {
    if (by >= replayWindow) {
      this.#recent = 0;
      this.#older = 0;
    } else if (by >= 32) {
      this.#older = this.#recent << (by - 32);
      this.#recent = 0;
    } else {
      this.#older = (this.#older << by) | (this.#recent >>> (32 - by));
      this.#recent <<= by;
    }
  }
}
