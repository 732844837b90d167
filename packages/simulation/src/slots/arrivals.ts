/** One receiver's arrivals in order of time; equal times by number. */
export class Arrivals {
  #keys = new Float64Array(1024);
  #count = 0;
  readonly #messages: number;

  /** @param messages their numbers are under this. */
  constructor(messages: number) {
    this.#messages = Math.max(1, messages);
  }

  clear(): void {
    this.#count = 0;
  }

  add(atUs: number, message: number): void {
    if (this.#count === this.#keys.length) {
      const larger = new Float64Array(2 * this.#count);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[this.#count++] = atUs * this.#messages + message;
  }

  /**
   * Verifies one message after another in order of arrival, as a node with one core does.
   *
   * @param costUs of a message. @param onVerified called with each message and the time at which it is verified. @param
   *   freeUs when the node can begin.
   * @param byUs a time of interest. @returns when the node was done with what had arrived by then.
   */
  verify(
    costUs: (message: number) => number,
    onVerified: (message: number, atUs: number) => void,
    freeUs = 0,
    byUs = 0,
  ): number {
    const sorted = this.#keys.subarray(0, this.#count).sort();
    let nextUs = freeUs;
    let doneUs = freeUs;
    for (const key of sorted) {
      const message = key % this.#messages;
      const arrivedUs = (key - message) / this.#messages;
      nextUs = Math.max(nextUs, arrivedUs) + costUs(message);
      if (arrivedUs <= byUs) doneUs = nextUs;
      onVerified(message, nextUs);
    }
    return doneUs;
  }
}
