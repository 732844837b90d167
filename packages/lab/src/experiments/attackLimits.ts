/** Limits of the claim about attacks, as ratios to the times among silent nodes without back-off. */
export interface AttackLimits {
  /** Maximum ratio of the honest nodes' mean time. */
  readonly mean: number;
  /** Maximum ratio of the last honest node's time under attack to its time with silent attackers. */
  readonly last: number;
}

/**
 * Returns the limits for a share of Byzantine nodes, 0 to less than 0.5. They are this project's; the paper gives none.
 */
export function attackLimits(share: number): AttackLimits {
  return share <= 0.3 ? { mean: 1.5, last: 2 } : { mean: 2, last: 3 };
}
