/**
 * First-in, first-out queue of integers in one array, which doubles in size when it is full. A pending contribution is
 * an integer, so it needs no object of its own.
 */
export class Fifo {
  #ring = new Int32Array(8);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#ring[(this.#first + this.#length) & (this.#ring.length - 1)] = value;
    this.#length++;
  }

  /** Removes and returns the oldest integer. The queue must not be empty. */
  shift(): number {
    const value = this.#ring[this.#first]!;
    this.#first = (this.#first + 1) & (this.#ring.length - 1);
    this.#length--;
    return value;
  }

  /** Returns the integer `index` positions after the oldest one. `index` must be less than the length. */
  at(index: number): number {
    return this.#ring[(this.#first + index) & (this.#ring.length - 1)]!;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#ring.length);
    for (let index = 0; index < this.#length; index++) larger[index] = this.at(index);
    this.#ring = larger;
    this.#first = 0;
  }
}
