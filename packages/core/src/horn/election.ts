/** A group that elects among its members by themselves: a subcommittee its aggregators, a committee its collectors. */
export interface Election {
  readonly members: number;
  /** How many the rule aims at. */
  readonly aggregators: number;
}

/**
 * Ethereum's self-selection: a member is elected when the first eight bytes of the hash of its slot signature are a multiple of this. Nobody
 * else knows before it says so. Rounded down, so that somewhat more than the aim are expected where it does not divide the members.
 */
export function electionModulus({ members, aggregators }: Election): number {
  return Math.max(1, Math.floor(members / aggregators));
}

/** @param low @param high the 64-bit integer of the hash, 32 bits each. @param modulus at most 2^20. */
export function isElected(low: number, high: number, modulus: number): boolean {
  return ((high % modulus) * (0x1_0000_0000 % modulus) + low) % modulus === 0;
}

export function expectedElected(election: Election): number {
  return election.members / electionModulus(election);
}

/**
 * The probability that nobody is elected, or nobody honest (Horn: "Future research").
 *
 * @param honestShare the chance of a member to be honest, by itself: members are drawn from far more validators.
 */
export function probabilityOfNone(election: Election, honestShare = 1): number {
  return Math.exp(election.members * Math.log1p(-honestShare / electionModulus(election)));
}
