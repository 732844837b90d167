/** Size of the anti-replay window of RFC 4303: counters at least this far below the highest one are rejected. */
export const replayWindow = 64;

/**
 * The accepted packet counters of one sender, in constant memory: the highest counter, and one bit for each of the 64
 * counters up to it. UDP reorders packets, so accepting only increasing counters would reject honest packets.
 */
export class ReplayWindow {
  #highest = -1;
  /** Bits b in 0..31: counter `highest - b` was accepted. */
  #recent = 0;
  /** Bits b in 0..31: counter `highest - 32 - b` was accepted. */
  #older = 0;

  /** Returns whether this counter could still be accepted: it is neither known nor too old. */
  isFresh(counter: number): boolean {
    const behind = this.#highest - counter;
    if (behind < 0) return true;
    if (behind >= replayWindow) return false;
    return behind < 32 ? ((this.#recent >>> behind) & 1) === 0 : ((this.#older >>> (behind - 32)) & 1) === 0;
  }

  /**
   * Marks a counter as accepted. Call it only after its packet proved genuine. Otherwise a forged packet could advance
   * the window past honest packets.
   */
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
