/**
 * The longest that a packet waits for a cable before it is dropped instead: the classical size of a router's buffer,
 * the rate times a quarter of a second, about the paper's longest round trip (282 ms, v1.03 appendix B).
 */
const longestWaitUs = 250_000;

/** One direction of a host's cable: packets pass one after another, each for as long as its bits take. */
export class CableQueue {
  readonly #bitsPerUs: number;
  #freeUs = Number.NEGATIVE_INFINITY;

  /** @param rateMbit megabits a second; Infinity for a cable that takes no time. */
  constructor(rateMbit: number) {
    this.#bitsPerUs = rateMbit;
  }

  /**
   * When a packet that comes now has passed, microseconds; undefined where the buffer is full and the packet is lost.
   */
  passedUs(nowUs: number, bytes: number): number | undefined {
    const beginUs = Math.max(nowUs, this.#freeUs);
    if (beginUs - nowUs > longestWaitUs) return undefined;
    this.#freeUs = beginUs + Math.ceil((bytes * 8) / this.#bitsPerUs);
    return this.#freeUs;
  }
}
