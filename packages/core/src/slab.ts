/** Integers in a page, 256 kB: at least two of the largest bitsets (2^20 bits). */
const pageInts = 1 << 16;

/**
 * Room for runs of 2^k integers in pages of one size, given back and taken again by size. An address is one integer, so that what lies
 * there costs no object of its own: a simulation's nodes, each with a little state that grows, share one slab. Runs never move, so growing
 * the slab copies nothing.
 */
export class Slab {
  readonly #pages: Int32Array[] = [];
  /** Per k: addresses given back. */
  readonly #free: number[][] = [];
  /** Integers of the newest page in use. */
  #used = pageInts;

  /** Room for 2^k integers, all zero. */
  allocate(k: number): number {
    const address = this.#free[k]?.pop();
    const length = 1 << k;
    if (address !== undefined) {
      const offset = address & (pageInts - 1);
      this.page(address).fill(0, offset, offset + length);
      return address;
    }
    if (length > pageInts) return this.#allocateLong(length);
    // Rounding up to a multiple of the length keeps a run from crossing a page's end.
    let start = (this.#used + length - 1) & -length;
    if (start + length > pageInts) {
      this.#pages.push(new Int32Array(pageInts));
      start = 0;
    }
    this.#used = start + length;
    return (this.#pages.length - 1) * pageInts + start;
  }

  /** A run longer than a page is its own pages: the first shows all of it, each of the others what is left from there. */
  #allocateLong(length: number): number {
    const first = this.#pages.length;
    const run = new Int32Array(length);
    for (let start = 0; start < length; start += pageInts) this.#pages.push(run.subarray(start));
    this.#used = pageInts;
    return first * pageInts;
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

  /** Room for 2^(k+1) integers that begins with the 2^k at `address`, which are given back. */
  grow(address: number, k: number): number {
    const larger = this.allocate(k + 1);
    const offset = this.offset(address);
    this.page(larger).set(this.page(address).subarray(offset, offset + (1 << k)), this.offset(larger));
    this.release(address, k);
    return larger;
  }

  /** Takes all room back, to be given out anew from the beginning: cheaper than another slab where little of it was used. */
  clear(): void {
    this.#free.length = 0;
    if (this.#pages.length === 0) return;
    const used = this.#pages.length === 1 ? this.#used : pageInts;
    this.#pages.length = 1;
    this.#pages[0]!.fill(0, 0, used);
    this.#used = 0;
  }

  /** The page that an address lies on. */
  page(address: number): Int32Array {
    return this.#pages[address >>> 16]!;
  }

  /** Where on its page an address lies. */
  offset(address: number): number {
    return address & (pageInts - 1);
  }
}

/** The least k with 2^k >= length. */
export function sizeClass(length: number): number {
  return length <= 1 ? 0 : 32 - Math.clz32(length - 1);
}
