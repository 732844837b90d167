/** Words in a page: 256 kB, so that a page holds at least two of the largest bitsets (2^20 bits). */
const pageWords = 1 << 16;

/**
 * Room for bitsets of 2^k words in pages of one size, given back and taken again by size. An address is one integer, so that a
 * contribution costs no object; bitsets never move, so growing copies nothing.
 */
export class WordSlab {
  readonly #pages: Int32Array[] = [];
  /** Per k: addresses given back. */
  readonly #free: number[][] = [];
  /** Words of the newest page in use. */
  #used = pageWords;

  /** Room for 2^k words, all zero. */
  allocate(k: number): number {
    const address = this.#free[k]?.pop();
    const words = 1 << k;
    if (address !== undefined) {
      const offset = address & (pageWords - 1);
      this.page(address).fill(0, offset, offset + words);
      return address;
    }
    // Rounding up to a multiple of the size keeps a bitset from crossing a page's end.
    let start = (this.#used + words - 1) & -words;
    if (start + words > pageWords) {
      this.#pages.push(new Int32Array(pageWords));
      start = 0;
    }
    this.#used = start + words;
    return (this.#pages.length - 1) * pageWords + start;
  }

  /** Gives back room that {@link allocate} gave for the same k. */
  release(address: number, k: number): void {
    let free = this.#free[k];
    if (free === undefined) {
      free = [];
      this.#free[k] = free;
    }
    free.push(address);
  }

  /** The page that an address lies on. */
  page(address: number): Int32Array {
    return this.#pages[address >>> 16]!;
  }

  /** Where on its page an address lies. */
  offset(address: number): number {
    return address & (pageWords - 1);
  }
}
