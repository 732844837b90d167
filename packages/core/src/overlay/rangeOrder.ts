/**
 * Answers "which is the k-th smallest value in this stretch of a sequence?" in O(log n) steps from a few bits per value: a wavelet matrix
 * (Claude, Navarro and Ordóñez, 2015). It makes a prioritisation vector that is computed a place at a time and never stored.
 */
export class RangeOrder {
  /** Per bit of the values, from the highest: for every 32 positions, the zeros before them and their 32 bits. */
  readonly #lines: readonly Int32Array[];
  /** Per bit: how many values have a zero there. */
  readonly #zeros: Int32Array;
  readonly #bits: number;

  /** @param values integers in [0, bound). @param bound at most 2^30. */
  constructor(values: Int32Array, bound: number) {
    this.#bits = Math.max(1, 32 - Math.clz32(Math.max(1, bound - 1)));
    this.#zeros = new Int32Array(this.#bits);
    const lines: Int32Array[] = [];
    let current = values.slice();
    let next = new Int32Array(values.length);
    for (let line = 0; line < this.#bits; line++) {
      const shift = this.#bits - 1 - line;
      const ranks = new Int32Array(2 * (Math.floor(values.length / 32) + 1));
      let zeros = 0;
      for (let position = 0; position < current.length; position++) {
        const word = (position >>> 5) << 1;
        if ((position & 31) === 0) ranks[word] = zeros;
        if ((current[position]! >>> shift) & 1) ranks[word + 1]! |= 1 << (position & 31);
        else next[zeros++] = current[position]!;
      }
      if ((current.length & 31) === 0) ranks[(current.length >>> 5) << 1] = zeros;
      let one = zeros;
      for (const value of current) if ((value >>> shift) & 1) next[one++] = value;
      this.#zeros[line] = zeros;
      lines.push(ranks);
      [current, next] = [next, current];
    }
    this.#lines = lines;
  }

  /** The k-th smallest (from 0) of the values at positions [start, end). The caller sees to 0 <= k < end - start. */
  kthSmallest(start: number, end: number, k: number): number {
    let from = start;
    let to = end;
    let left = k;
    let value = 0;
    for (let line = 0; line < this.#bits; line++) {
      const ranks = this.#lines[line]!;
      const zerosFrom = zerosBefore(ranks, from);
      const zerosTo = zerosBefore(ranks, to);
      const zeros = zerosTo - zerosFrom;
      value <<= 1;
      if (left < zeros) {
        from = zerosFrom;
        to = zerosTo;
      } else {
        left -= zeros;
        value |= 1;
        from = this.#zeros[line]! + from - zerosFrom;
        to = this.#zeros[line]! + to - zerosTo;
      }
    }
    return value;
  }
}

function zerosBefore(ranks: Int32Array, position: number): number {
  const word = (position >>> 5) << 1;
  const within = position & 31;
  return ranks[word]! + within - popcount(ranks[word + 1]! & ~(-1 << within));
}

/** The number of one bits in a 32-bit integer (Warren, Hacker's Delight, 5-1). */
export function popcount(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
