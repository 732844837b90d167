/**
 * Sets of votes that were aggregated and sent, a bit for each member of the sender's group, in the order in which they
 * were published.
 */
export class VoteSets {
  /** Bits of one set. */
  readonly members: number;
  readonly words: number;
  readonly #authors: number[] = [];
  readonly #sentUs: number[] = [];
  readonly #weights: number[] = [];
  #bits = new Int32Array(1024);

  constructor(members: number) {
    this.members = members;
    this.words = Math.ceil(members / 32);
  }

  get count(): number {
    return this.#authors.length;
  }

  /** @param bits {@link words} words, copied. @returns the set's number. */
  add(author: number, sentUs: number, weight: number, bits: Int32Array): number {
    const index = this.count;
    const at = index * this.words;
    while (at + this.words > this.#bits.length) {
      const larger = new Int32Array(2 * this.#bits.length);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits.set(bits, at);
    this.#authors.push(author);
    this.#sentUs.push(sentUs);
    this.#weights.push(weight);
    return index;
  }

  /** The place of who sent it. */
  author(index: number): number {
    return this.#authors[index]!;
  }

  sentUs(index: number): number {
    return this.#sentUs[index]!;
  }

  weight(index: number): number {
    return this.#weights[index]!;
  }

  /** The number of its group: of the subcommittee among all, or of the committee. */
  group(index: number): number {
    return Math.floor(this.#authors[index]! / this.members);
  }

  word(index: number, word: number): number {
    return this.#bits[index * this.words + word]!;
  }

  /** A set, on loan until the next one is added. */
  bits(index: number): Int32Array {
    return this.#bits.subarray(index * this.words, (index + 1) * this.words);
  }

  has(index: number, bit: number): boolean {
    return ((this.word(index, bit >>> 5) >>> (bit & 31)) & 1) === 1;
  }
}
