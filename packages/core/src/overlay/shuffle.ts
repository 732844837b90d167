import { requireFunction, requireInt32Array } from '../arguments.ts';
import { requireInteger } from '../errors.ts';
import { RandomStream } from '../random.ts';

/**
 * Returns a permutation of [0, size) drawn with a seed (Fisher-Yates). With the round's seed, it is the public shuffle
 * that places the registry's entries in the tree (v1.0 section 4.3). An attacker that chooses its identities in advance
 * therefore cannot choose its positions.
 *
 * @returns `order` with order[position] = index of the registry entry at that position.
 */
export function shuffle(size: number, seed: number, purpose = 'placement'): Int32Array {
  const random = new RandomStream(seed, purpose);
  return shuffleBy(size, (bound) => random.nextBelow(bound));
}

/**
 * Returns a permutation of [0, size) from numbers that the caller draws, for example from a seed that is too long for
 * {@link shuffle}.
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
