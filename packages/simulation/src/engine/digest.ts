/**
 * A running digest of a run's events: two lanes of 32 bits, each a multiply-rotate mix similar to MurmurHash3. The
 * digest distinguishes runs; it does not resist an adversary.
 */
export class Digest {
  #a = 0x243f6a88 | 0;
  #b = 0x85a308d3 | 0;

  /** Adds two integers, one per lane; each lane is also mixed into the other lane. */
  add(first: number, second: number): void {
    const a = Math.imul(this.#a ^ first, 0xcc9e2d51);
    const b = Math.imul(this.#b ^ second, 0x1b873593);
    this.#a = (((a << 15) | (a >>> 17)) + b) | 0;
    this.#b = ((b << 13) | (b >>> 19)) ^ a;
  }

  /** Returns 16 hexadecimal digits. */
  toString(): string {
    return hex32(this.#a) + hex32(this.#b);
  }
}

function hex32(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
