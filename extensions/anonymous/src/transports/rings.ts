import { requireInt32Array } from '@tutti/core/input';

/**
 * Returns the rings of a set-up: the members in the order of a public shuffle, divided into as many consecutive groups
 * of at least `size` members as possible. Each member is in exactly one ring. A member that could choose between two
 * rings would have a tag in each, and could register in both.
 *
 * @param placement a permutation of the members, see `placementOf`.
 * @param size minimum number of members in a ring, 1 or more; if there are fewer members, all of them form one ring.
 * @returns the members' indices in the registry, per ring, in ascending order.
 * @throws TypeError for a placement of another type; RangeError for a size below 1.
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
