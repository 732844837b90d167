import { requireInt32Array } from '@tutti/core/input';

/**
 * The rings of a set-up: the members in the order of a public shuffle, cut into as many runs of at least `size` as
 * there can be. Each member is in one ring alone: a member who could choose between two would have a tag in each, and
 * could register in both.
 *
 * @param placement a permutation of the members, see `placementOf`.
 * @param size members a ring has at least, 1 or more; where there are fewer members, all are in one.
 * @returns of each ring the members' places in the registry, ascending.
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
