const firstWords = 4;

/**
 * A bit for each member of a topic and each of its messages. A member's bits lie together: whoever asks what one member
 * has of many messages finds it in a cache, where a list by message is another place in memory each time.
 */
export class PlaceBits {
  readonly #members: number;
  /** Words of 32 messages a member. */
  #words = firstWords;
  #bits: Int32Array;

  constructor(members: number) {
    this.#members = members;
    this.#bits = new Int32Array(members * firstWords);
  }

  /** @param rank of the message among the topic's. */
  has(place: number, rank: number): boolean {
    const word = rank >>> 5;
    return word < this.#words && ((this.#bits[place * this.#words + word]! >>> (rank & 31)) & 1) === 1;
  }

  add(place: number, rank: number): void {
    const word = rank >>> 5;
    if (word >= this.#words) this.#grow(word + 1);
    this.#bits[place * this.#words + word]! |= 1 << (rank & 31);
  }

  #grow(atLeast: number): void {
    const words = Math.max(2 * this.#words, atLeast);
    const bits = new Int32Array(this.#members * words);
    for (let place = 0; place < this.#members; place++) {
      bits.set(this.#bits.subarray(place * this.#words, (place + 1) * this.#words), place * words);
    }
    this.#words = words;
    this.#bits = bits;
  }
}
