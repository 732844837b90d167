import { requireObject } from '../errors.ts';
import { shuffle } from '../overlay/shuffle.ts';
import { RandomStream } from '../random.ts';
import { type HornParameters, hornSizes } from './parameters.ts';

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

/** What a validator is elected to besides voting; bits. */
export const Duty = { aggregator: 1, collector: 2 } as const;

/**
 * Every place's duties, as {@link Duty} bits. Validators elect themselves: the hash of each one's slot signature is
 * drawn, once for each duty, so that being a collector is independent of being an aggregator.
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
 * The places of validators in a slot: `order[place]` is the validator at a place. Places go through the committees one
 * after another and through the subcommittees of each, so that a committee is a run of places. Drawn by seed, as
 * Ethereum shuffles its validators (Horn: "Introduction to the current aggregation scheme").
 */
export function assignValidators(parameters: HornParameters, seed: number): Int32Array {
  requireObject('parameters', parameters);
  return shuffle(parameters.validators, seed, 'committees');
}

/**
 * The least subcommittee that the post's divisions are kept for; with fewer validators there are fewer subcommittees
 * instead.
 */
const postSubcommittee = 512;

/**
 * The post's proportions for another number of validators: subcommittees of 512, and in each committee as many of them
 * as there are committees, or twice as many. If powers of two do not divide the validators so, subcommittees are
 * larger.
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
