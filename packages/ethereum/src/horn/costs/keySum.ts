/**
 * Point additions that reconstruct the aggregated public key of one bitfield (Horn: "Verification time for
 * collections"). A sum over n keys is counted as n additions; taking a sum away from the committee's total is one more,
 * which is left out.
 */
export interface KeySum {
  /** Every present key is added. */
  readonly naive: number;
  /** The present keys, or where these are more the absent ones, to be taken from the committee's total. */
  readonly subtracting: number;
}

/** @param percent of the members whose bit is set; additions are an expectation and may be fractions. */
export function keySum(members: number, percent: number): KeySum {
  return { naive: (members * percent) / 100, subtracting: (members * Math.min(percent, 100 - percent)) / 100 };
}
