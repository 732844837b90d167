/** Number of integers in a cache line of 64 bytes. */
const lineInts = 16;

/**
 * An allocator for blocks of 2^k integers in one array, which reuses released blocks by size. An address is an index
 * into the array, so a block needs no object. The nodes of a simulation, each with a small growing state, share one
 * slab. Addresses remain valid when a longer array replaces the array.
 */
export class Slab {
  /**
   * The array that contains all blocks. Growth replaces the array, so read this property again after any call that may
   * {@link allocate}.
   */
  ints: Int32Array;
  /** Addresses of released blocks, for each k. */
  readonly #free: number[][] = [];
  #used = 0;

  /**
   * @param expectedInts number of integers to reserve at once. Unused integers take no physical memory, because the
   * program never writes to them.
   */
  constructor(expectedInts = 1 << 10) {
    this.ints = new Int32Array(expectedInts);
  }

  /** Returns the address of 2^k zeroed integers. */
  allocate(k: number): number {
    const length = 1 << k;
    const reused = this.#free[k]?.pop();
    if (reused !== undefined) {
      this.#zero(reused, length);
      return reused;
    }
    const split = this.#split(k);
    if (split >= 0) return split;
    // Alignment to a multiple of a cache line keeps a short block within one line.
    return this.#take(length, Math.min(length, lineInts));
  }

  /**
   * Returns the address of `length` zeroed integers that are never released and that share no cache line with other
   * blocks. `length` need not be a power of two.
   */
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
    // Most blocks are short, and for a short block a loop is faster than the call of fill.
    if (length > lineInts) ints.fill(0, address, address + length);
    else for (let at = address; at < address + length; at++) ints[at] = 0;
  }

  /**
   * Takes a longer released block, and releases all parts of the block except the first, one by one. Returns the first
   * part, or -1 if no released block is long enough.
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

  /** Releases a block that {@link allocate} returned for the same k. */
  release(address: number, k: number): void {
    let free = this.#free[k];
    if (free === undefined) {
      free = [];
      this.#free[k] = free;
    }
    free.push(address);
  }

  /**
   * Returns the address of a block of 2^(k+1) integers that begins with a copy of the 2^k integers at `address`, and
   * releases the old block.
   */
  grow(address: number, k: number): number {
    const larger = this.allocate(k + 1);
    this.ints.copyWithin(larger, address, address + (1 << k));
    this.release(address, k);
    return larger;
  }

  /** Frees the array itself, immediately if the engine supports it. The slab must not be used afterwards. */
  free(): void {
    // Node.js 20 lacks the method `transfer`, and garbage-collects the array later.
    (this.ints.buffer as { transfer?: (length: number) => ArrayBuffer }).transfer?.(0);
    this.ints = new Int32Array(0);
  }

  /**
   * Frees all blocks and restarts allocation from the beginning of the array. Clearing a slab is cheaper than creating
   * a new one if only a small part was used.
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
