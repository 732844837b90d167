import { requireFunction, requireInt32Array, requireText } from './arguments.ts';
import { requireInteger } from './errors.ts';

/**
 * A seeded stream of pseudo-random numbers (sfc32, Chris Doty-Humphrey's PractRand). One seed determines all random
 * numbers of a run. Each purpose has its own stream, so a change in the draws for one purpose does not affect the
 * others.
 */
export class RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /**
   * @param seed an integer, of which only the low 32 bits are used.
   * @param purpose name of the purpose of the numbers, such as `'latency'`.
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
   * Returns the next integer in [0, bound), computed from 32 scaled random bits. The bias is negligible for a bound of
   * at most 2^20.
   */
  nextBelow(bound: number): number {
    return Math.floor(this.nextUnit() * bound);
  }
}

/**
 * Returns a bijective mix of 32 bits: the finaliser "lowbias32", which Chris Wellons found with his hash prospector.
 */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) | 0;
}

/**
 * Returns a permutation of [0, size) drawn with a seed (Fisher-Yates). With the round's seed, this permutation is the
 * public shuffle that places the registry's entries in the tree (v1.0 section 4.3). An attacker that chooses its
 * identities in advance therefore cannot choose its positions.
 *
 * @returns `order` with order[position] = index of the registry entry at that position.
 */
export function shuffle(size: number, seed: number, purpose = 'placement'): Int32Array {
  const random = new RandomStream(seed, purpose);
  return shuffleBy(size, (bound) => random.nextBelow(bound));
}

/**
 * Returns a permutation of [0, size) based on numbers that the caller draws, for example from a seed that is too long
 * for {@link shuffle}.
 *
 * @param nextBelow draws an integer in [0, bound), with bound from `size` down to 2.
 */
export function shuffleBy(size: number, nextBelow: (bound: number) => number): Int32Array {
  requireInteger('size', size, 0, 2 ** 20);
  requireFunction('nextBelow', nextBelow);
  const order = Int32Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last--) {
    const other = nextBelow(last + 1);
    const moved = order[last]!;
    order[last] = order[other]!;
    order[other] = moved;
  }
  return order;
}

/** Returns the inverse of a permutation: inverse[order[k]] = k. */
export function invert(order: Int32Array): Int32Array {
  requireInt32Array('order', order);
  const inverse = new Int32Array(order.length);
  for (let position = 0; position < order.length; position++) inverse[order[position]!] = position;
  return inverse;
}
