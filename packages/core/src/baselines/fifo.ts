/**
 * A first-in, first-out queue of integers in one array that grows by doubling: what a node has to verify, without an
 * object for each.
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

  /** Takes the oldest; the caller has seen to it that there is one. */
  shift(): number {
    const value = this.#ring[this.#first]!;
    this.#first = (this.#first + 1) & (this.#ring.length - 1);
    this.#length--;
    return value;
  }

  /** The one that is `index` places behind the oldest. */
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
