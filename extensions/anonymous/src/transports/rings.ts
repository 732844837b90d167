import { requireInt32Array } from '@tutti/core/input';

/**
 * Returns the rings of a set-up: the members in the order of a public shuffle, divided into the maximum number of
 * consecutive groups of at least `size`. Each member is in exactly one ring. A member that could choose between two
 * would have a tag in each, and could register in both.
 *
 * @param placement a permutation of the members, see `placementOf`.
 * @param size minimum number of members of a ring, 1 or more; if there are fewer members, all are in one ring.
 * @returns the members' indices in the registry per ring, ascending.
 * @throws TypeError for another kind of placement; RangeError for a size below 1.
 */
export function ringsOf(placement: Int32Array, size: number): number[][] {
  requireInt32Array('placement', placement);
  if (!Number.isInteger(size) || size < 1) throw new RangeError(`size: expected an integer of 1 or more, got ${size}`);
  const rings = Math.max(1, Math.floor(placement.length / size));
  return Array.from({ length: rings }, (_, ring) => {
    const [start, end] = [ring, ring + 1].map((one) => Math.floor((placement.length * one) / rings));
    return Array.from(placement.subarray(start, end)).sort((a, b) => a - b);
  });
}
