/** Integers in a cache line of 64 bytes. */
const lineInts = 16;

/**
 * An allocator of blocks of 2^k integers in one array, reused by size. An address is an index into the array, so a
 * block needs no object of its own: a simulation's nodes, each with a little state that grows, share one slab.
 * Addresses stay valid when the array is replaced by a longer one.
 */
export class Slab {
  /**
   * What lies at each address. Growing replaces the array, so get it again after anything that may {@link allocate}.
   */
  ints: Int32Array;
  /** Per k: addresses given back. */
  readonly #free: number[][] = [];
  #used = 0;

  /**
   * @param expectedInts integers to make room for at once. Those that are not used cost no memory, since they are never
   * touched.
   */
  constructor(expectedInts = 1 << 10) {
    this.ints = new Int32Array(expectedInts);
  }

  /** Room for 2^k integers, all zero. */
  allocate(k: number): number {
    const length = 1 << k;
    const given = this.#free[k]?.pop();
    if (given !== undefined) {
      this.#zero(given, length);
      return given;
    }
    const split = this.#split(k);
    if (split >= 0) return split;
    // Rounding up to a multiple of a cache line's integers keeps a short run within one.
    return this.#take(length, Math.min(length, lineInts));
  }

  /** Room for any number of integers, all zero, that is never given back, in cache lines of its own. */
  reserve(length: number): number {
    return this.#take(-(-length & -lineInts), lineInts);
  }

  #take(length: number, align: number): number {
    const address = (this.#used + align - 1) & -align;
    this.#used = address + length;
    if (this.#used > this.ints.length) this.#growTo(this.#used);
    return address;
  }

  #zero(address: number, length: number): void {
    const { ints } = this;
    // A loop has cleared a short run, and most are short, before fill has begun.
    if (length > lineInts) ints.fill(0, address, address + length);
    else for (let at = address; at < address + length; at++) ints[at] = 0;
  }

  /**
   * The first part of a longer run that was given back, whose other parts are given back singly; -1 where there is
   * none.
   */
  #split(k: number): number {
    for (let longer = k + 1; longer < this.#free.length; longer++) {
      const address = this.#free[longer]?.pop();
      if (address === undefined) continue;
      for (let half = longer - 1; half >= k; half--) this.release(address + (1 << half), half);
      this.#zero(address, 1 << k);
      return address;
    }
    return -1;
  }

  #growTo(atLeast: number): void {
    const longer = new Int32Array(Math.max(atLeast, this.ints.length * 2));
    longer.set(this.ints);
    this.ints = longer;
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
    this.ints.copyWithin(larger, address, address + (1 << k));
    this.release(address, k);
    return larger;
  }

  /** Frees the array itself, at once if the engine can. The slab must not be used any more. */
  free(): void {
    // Not in Node 20, which collects it.
    (this.ints.buffer as { transfer?: (length: number) => ArrayBuffer }).transfer?.(0);
    this.ints = new Int32Array(0);
  }

  /**
   * Frees all blocks, so that the room is given out again from the beginning: cheaper than a new slab if little of it
   * was used.
   */
  clear(): void {
    this.#free.length = 0;
    this.ints.fill(0, 0, this.#used);
    this.#used = 0;
  }
}

/** Returns the smallest k with 2^k >= length. */
export function sizeClass(length: number): number {
  return length <= 1 ? 0 : 32 - Math.clz32(length - 1);
}
