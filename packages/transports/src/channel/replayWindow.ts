/**
 * Size of the anti-replay window: 64 counters, as in RFC 4303. The channel rejects a counter that is at least this far
 * below the highest accepted counter.
 */
export const replayWindow = 64;

/**
 * The accepted packet counters of one sender, stored in constant memory: the highest counter, and one bit for each of
 * the 64 counters up to the highest. UDP reorders packets, so accepting only increasing counters would reject honest
 * packets.
 */
export class ReplayWindow {
  #highest = -1;
  /** Bit b, for b in 0..31: counter `highest - b` was accepted. */
  #recent = 0;
  /** Bit b, for b in 0..31: counter `highest - 32 - b` was accepted. */
  #older = 0;

  /** Returns whether a counter could still be accepted: the counter is neither already accepted nor too old. */
  isFresh(counter: number): boolean {
    const behind = this.#highest - counter;
    if (behind < 0) return true;
    if (behind >= replayWindow) return false;
    return behind < 32 ? ((this.#recent >>> behind) & 1) === 0 : ((this.#older >>> (behind - 32)) & 1) === 0;
  }

  /**
   * Marks a counter as accepted. The packet with this counter must already have been authenticated, because a forged
   * packet could advance the window past honest packets.
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
