import { requireObject } from '../arguments.ts';
import { RandomStream, shuffle } from '../random.ts';
import { type HornParameters, hornSizes } from './parameters.ts';

/** A group whose members elect themselves: a subcommittee elects aggregators, and a committee elects collectors. */
export interface Election {
  readonly members: number;
  /** Intended number of elected members: aggregators or collectors. */
  readonly aggregators: number;
}

/**
 * Returns the modulus of Ethereum's self-selection. A member is elected if the first eight bytes of the hash of its
 * slot signature are a multiple of the modulus. Other members do not know whether a member is elected before that
 * member announces the result. The function rounds the modulus down. If the intended number does not divide the group
 * size, the expected number of elected members is therefore higher than intended, by a factor of less than 2.
 */
export function electionModulus(election: Election): number {
  requireObject('election', election);
  const { members, aggregators } = election;
  return Math.max(1, Math.floor(members / aggregators));
}

/**
 * Returns whether a hash elects its member.
 *
 * @param low low 32 bits of the hash's 64-bit integer.
 * @param high high 32 bits.
 * @param modulus at most 2^26, so that the product is exact.
 */
export function isElected(low: number, high: number, modulus: number): boolean {
  return ((high % modulus) * (0x1_0000_0000 % modulus) + low) % modulus === 0;
}

/** Returns the expected number of elected members of a group. */
export function expectedElected(election: Election): number {
  const modulus = electionModulus(election);
  return election.members / modulus;
}

/**
 * Returns the probability that a group elects no honest member; with the default share, the probability that the group
 * elects no member at all (Horn: "Future research").
 *
 * @param honestShare probability that a member is honest, independent for each member. The function assumes that
 * members are drawn from a much larger number of validators.
 */
export function probabilityOfNone(election: Election, honestShare = 1): number {
  const modulus = electionModulus(election);
  return Math.exp(election.members * Math.log1p(-honestShare / modulus));
}

/** Duties of an elected validator in addition to voting, as bits. */
export const Duty = { aggregator: 1, collector: 2 } as const;

/**
 * Draws the duties of every place, as {@link Duty} bits. Validators elect themselves: the function draws the hash of a
 * validator's slot signature once per duty, so aggregators and collectors are independent.
 */
export function electDuties(parameters: HornParameters, seed: number): Uint8Array {
  const { subcommittee, committee } = hornSizes(parameters);
  const duties = new Uint8Array(parameters.validators);
  const elections = [
    { duty: Duty.aggregator, purpose: 'aggregators', members: subcommittee, aggregators: parameters.aggregators },
    { duty: Duty.collector, purpose: 'collectors', members: committee, aggregators: parameters.collectors },
  ];
  for (const { duty, purpose, ...election } of elections) {
    const random = new RandomStream(seed, purpose);
    const modulus = electionModulus(election);
    for (let place = 0; place < duties.length; place++) {
      if (isElected(random.nextUint32(), random.nextUint32(), modulus)) duties[place]! |= duty;
    }
  }
  return duties;
}

/**
 * Draws the places of validators in a slot: `order[place]` is the validator at a place. Places are ordered by
 * committee, then by subcommittee, so a committee is a range of places. A seed determines the order, as in Ethereum's
 * shuffle of validators (Horn: "Introduction to the current aggregation scheme").
 */
export function assignValidators(parameters: HornParameters, seed: number): Int32Array {
  requireObject('parameters', parameters);
  return shuffle(parameters.validators, seed, 'committees');
}

/** Number of validators in a subcommittee of the post. */
const postSubcommittee = 512;

/**
 * Returns parameters with the post's proportions for another number of validators. The number of subcommittees per
 * committee equals the number of committees, or is twice that number. Both numbers are powers of two, and as large as
 * possible with at least 512 validators per subcommittee and a product that divides the number of validators. A network
 * of fewer than 1,024 validators, or of an odd number, has one subcommittee.
 *
 * @param parameters source of all other parameters. Aggregators and collectors are limited to the sizes of their
 * groups.
 */
export function scaledHornParameters(validators: number, parameters: HornParameters): HornParameters {
  requireObject('parameters', parameters);
  let committees = 1;
  let subcommittees = 1;
  for (let all = 2; validators % all === 0 && validators / all >= postSubcommittee; all *= 2) {
    if (subcommittees > committees) committees *= 2;
    else subcommittees *= 2;
  }
  const { subcommittee, committee } = hornSizes({ ...parameters, validators, committees, subcommittees });
  return {
    ...parameters,
    validators,
    committees,
    subcommittees,
    aggregators: Math.min(parameters.aggregators, subcommittee),
    collectors: Math.min(parameters.collectors, committee),
  };
}
