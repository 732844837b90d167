import { requireText } from './arguments.ts';

/**
 * A seeded stream of pseudo-random numbers (sfc32, Chris Doty-Humphrey's PractRand). One seed determines a run. Each
 * purpose has its own stream, so a change in one purpose's draws does not affect the others.
 */
export class RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /**
   * @param seed an integer; its low 32 bits are used. @param purpose name of the purpose of the numbers, such as
   * `'latency'`.
   */
  constructor(seed: number, purpose: string) {
    requireText('purpose', purpose);
    let hash = seed | 0;
    for (let index = 0; index < purpose.length; index++) hash = mix32(hash ^ purpose.charCodeAt(index));
    this.#a = mix32(hash);
    this.#b = mix32(this.#a ^ seed);
    this.#c = mix32(this.#b ^ hash);
    for (let round = 0; round < 12; round++) this.nextUint32();
  }

  /** Returns the next integer, 0 to 2^32 - 1. */
  nextUint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** Returns the next number in [0, 1), a multiple of 2^-32. */
  nextUnit(): number {
    return this.nextUint32() / 0x1_0000_0000;
  }

  /**
   * Returns the next integer in [0, bound): 32 random bits, scaled. The bias is negligible, because bounds are at most
   * 2^20.
   */
  nextBelow(bound: number): number {
    return Math.floor(this.nextUnit() * bound);
  }
}

/** Returns a bijective mix of 32 bits: the finaliser "lowbias32", found by Chris Wellons with his hash prospector. */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) | 0;
}
