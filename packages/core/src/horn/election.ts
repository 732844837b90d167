import { requireObject } from '../errors.ts';
/** A group whose members elect themselves: the aggregators of a subcommittee, or the collectors of a committee. */
export interface Election {
  readonly members: number;
  /** How many the rule aims at. */
  readonly aggregators: number;
}

/**
 * Ethereum's self-selection: a member is elected when the first eight bytes of the hash of its slot signature are a
 * multiple of this. Nobody else knows before the member says so. Rounded down, so slightly more than intended are
 * expected if the members cannot be divided evenly.
 */
export function electionModulus(election: Election): number {
  requireObject('election', election);
  const { members, aggregators } = election;
  return Math.max(1, Math.floor(members / aggregators));
}

/**
 * Returns whether a hash elects its member.
 *
 * @param low the low 32 bits of the 64-bit integer of the hash.
 * @param high the high 32 bits.
 * @param modulus at most 2^20.
 */
export function isElected(low: number, high: number, modulus: number): boolean {
  return ((high % modulus) * (0x1_0000_0000 % modulus) + low) % modulus === 0;
}

export function expectedElected(election: Election): number {
  const modulus = electionModulus(election);
  return election.members / modulus;
}

/**
 * The probability that nobody is elected, or nobody honest (Horn: "Future research").
 *
 * @param honestShare the chance of each member, independently, to be honest: members are drawn from far more
 *   validators.
 */
export function probabilityOfNone(election: Election, honestShare = 1): number {
  const modulus = electionModulus(election);
  return Math.exp(election.members * Math.log1p(-honestShare / modulus));
}
