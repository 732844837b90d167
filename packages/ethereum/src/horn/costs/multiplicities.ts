/**
 * A vector of multiplicities over `members` validators (Horn: "Aggregation with four-bit integer vectors"), in bytes.
 */
export function multiplicityBytes(members: number, bits: number): number {
  return Math.ceil((members * bits) / 8);
}

/** Overlapping aggregates that can be merged before a multiplicity might not fit any more. */
export function mergeableAggregates(bits: number): number {
  return 2 ** bits - 1;
}

/**
 * Point additions, at most, for the sum of `members` keys times their multiplicities: one into the bucket of its
 * multiplicity for each, and two a bucket but the highest to sum the buckets up with their weights.
 */
export function multiplicitySumAdditions(members: number, bits: number): number {
  return members + 2 * (mergeableAggregates(bits) - 1);
}
