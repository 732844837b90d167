import { RandomStream } from '@tutti/core';
import {
  addMember,
  type Election,
  electionModulus,
  emptySet,
  hasMember,
  isElected,
  type MemberSet,
  sizeBeyond,
  sizeOf,
  union,
} from '@tutti/core/horn';
import { expected, requireInteger, requireNumber, requireObject } from '@tutti/core/input';
import { deviations, type MeanEstimate, MeanEstimator, wilsonInterval } from '../../statistics.ts';
import { hornAttackNamed } from '../attacks.ts';
import { type ForwardingName, type ForwardingScheme, forwardingNames, forwardingSchemes } from './forwarding.ts';

/** Parameters that determine the probabilities of the attack. */
export interface GriefingOdds {
  readonly election: Election;
  /** Share of Byzantine validators, 0 to 0.999. The number of Byzantine validators in a subcommittee is random. */
  readonly eveShare: number;
  /**
   * Share of the honest validators that vote, and aggregate if elected, 0.001 to 1. Byzantine validators are always
   * present.
   */
  readonly participation: number;
}

/** Parameters of {@link sampleGriefing}: the odds of the attack, and the number of slots to sample. */
export interface GriefingSample extends GriefingOdds {
  readonly slots: number;
  /**
   * Number of subcommittees per slot. Subcommittees are independent, so the subcommittees of one committee represent
   * all.
   */
  readonly subcommittees: number;
  readonly seed: number;
}

/** A sum of overlapping aggregates over a committee: the multiplicity of each validator, in order of subcommittees. */
export type Collection = Uint8Array;

/** Callback for the collections of each scheme, called after each slot. */
export type OnCollections = (name: ForwardingName, collections: readonly Collection[]) => void;

/**
 * Member that the attacker targets: the attacker leaves out this member before others whenever possible. The shuffle
 * determines the position of the targeted validator, so all positions are equivalent.
 */
export const singledOut = 0;

/** Losses over all slots. */
export interface GriefingLosses {
  /** Number of honest votes per subcommittee and slot that are in none of the collector's collections. */
  readonly honest: MeanEstimate;
  /** Number of lost honest votes per subcommittee and slot, for subcommittees with an honest aggregator. */
  readonly withHonestAggregator: MeanEstimate;
  /** Number of lost votes of the attacker per subcommittee and slot. */
  readonly eve: MeanEstimate;
  /**
   * Number of lost votes of the honest member that the attacker targets, 0 or 1 per subcommittee and slot in which the
   * member votes.
   */
  readonly singledOut: MeanEstimate;
}

/** Result of {@link sampleGriefing}: honest votes cast, and the losses of each forwarding scheme. */
export interface GriefingOutcome {
  /** Number of honest votes cast per subcommittee and slot. */
  readonly honestVotes: MeanEstimate;
  /** Number of subcommittees, over all slots, in which honest votes were cast but no honest member aggregated. */
  readonly withoutHonestAggregator: number;
  readonly losses: Readonly<Record<ForwardingName, GriefingLosses>>;
}

/**
 * Samples reward griefing over many slots. Each remedy faces the same attacker, with the same votes and aggregators in
 * each slot.
 *
 * @param onCollections called after each slot with the collections of each scheme.
 * @param onSlot called after each slot.
 * @throws RangeError that names the invalid parameter.
 */
export function sampleGriefing(
  sample: GriefingSample,
  onCollections?: OnCollections,
  onSlot?: () => void,
): GriefingOutcome {
  validateSample(sample);
  const { members } = sample.election;
  const random = new RandomStream(sample.seed, 'griefing');
  const forwarding = new RandomStream(sample.seed, 'forwarding');
  const cast = new MeanEstimator();
  let withoutHonestAggregator = 0;
  const tables = forwardingNames.map((name) => new LossTable(name));
  const newCollection = (): Collection => new Uint8Array(sample.subcommittees * members);
  for (let slot = 0; slot < sample.slots; slot++) {
    // Collections are as long as the whole committee, so they are built only for a caller that reads them.
    const collections = onCollections && tables.map(({ scheme }) => Array.from({ length: scheme.sums }, newCollection));
    for (let subcommittee = 0; subcommittee < sample.subcommittees; subcommittee++) {
      const sampled = sampleSubcommittee(sample, random);
      const votes = sizeOf(sampled.honestVotes);
      cast.add(votes);
      if (votes > 0 && sampled.honestAggregators === 0) withoutHonestAggregator++;
      tables.forEach((table, index) => {
        const sums = table.scheme.forward(sampled.aggregates, forwarding);
        table.add(sampled, union(sums.flat(), members));
        const ofTable = collections?.[index];
        if (ofTable === undefined) return;
        sums.forEach((sum, which) => {
          ofTable[which] ??= newCollection();
          addUp(sum, ofTable[which].subarray(subcommittee * members, (subcommittee + 1) * members));
        });
      });
    }
    collections?.forEach((ofTable, index) => {
      onCollections!(tables[index]!.name, ofTable);
    });
    onSlot?.();
  }
  const losses = Object.fromEntries(tables.map((table) => [table.name, table.losses()]));
  return {
    honestVotes: cast.estimate(),
    withoutHonestAggregator,
    losses: losses as Record<ForwardingName, GriefingLosses>,
  };
}

function validateSample(sample: GriefingSample): void {
  requireObject('sample', sample);
  const { election, eveShare, participation, slots, subcommittees } = sample;
  requireObject('election', election);
  requireInteger('members', election.members, 2, 2 ** 20);
  requireInteger('aggregators', election.aggregators, 1, election.members);
  requireNumber('eveShare', eveShare, 0, 0.999);
  requireNumber('participation', participation, 0.001, 1);
  requireInteger('slots', slots, 2, 10_000_000);
  requireInteger('subcommittees', subcommittees, 1, 2048);
}

/** Losses of one scheme. */
class LossTable {
  readonly name: ForwardingName;
  readonly scheme: ForwardingScheme;
  readonly #honest = new MeanEstimator();
  readonly #withHonestAggregator = new MeanEstimator();
  readonly #eve = new MeanEstimator();
  readonly #singledOut = new MeanEstimator();

  constructor(name: ForwardingName) {
    this.name = name;
    this.scheme = forwardingSchemes[name];
  }

  /** Adds a sample. @param reached members whose vote is in a collection. */
  add(sampled: SampledSubcommittee, reached: MemberSet): void {
    const lost = sizeBeyond(sampled.honestVotes, reached);
    this.#honest.add(lost);
    if (sampled.honestAggregators > 0) this.#withHonestAggregator.add(lost);
    this.#eve.add(sizeBeyond(sampled.eveVotes, reached));
    if (hasMember(sampled.honestVotes, singledOut)) this.#singledOut.add(hasMember(reached, singledOut) ? 0 : 1);
  }

  losses(): GriefingLosses {
    return {
      honest: this.#honest.estimate(),
      withHonestAggregator: this.#withHonestAggregator.estimate(),
      eve: this.#eve.estimate(),
      singledOut: this.#singledOut.estimate(),
    };
  }
}

/** Adds 1 to the count of each member for each aggregate that contains its vote. */
function addUp(sum: readonly MemberSet[], counts: Uint8Array): void {
  for (const aggregate of sum) {
    for (let member = 0; member < counts.length; member++) if (hasMember(aggregate, member)) counts[member]!++;
  }
}

/** One subcommittee in one slot, as a collector sees it. */
export interface SampledSubcommittee {
  /** Honest members that voted. */
  readonly honestVotes: MemberSet;
  readonly eveVotes: MemberSet;
  /** Aggregates, one per aggregator, in the order of the members. Equal sets are the same object. */
  readonly aggregates: readonly MemberSet[];
  readonly honestAggregators: number;
  readonly eveAggregators: number;
}

const griefing = hornAttackNamed('griefing')!;

/**
 * Simulates the attack (Horn: "Reward griefing attacks against Horn") member by member. Every honest vote reaches every
 * honest aggregator. Only the attacker knows whether one of its members is elected. The attacker performs the attack
 * `griefing` of `hornAttacks`, but with more knowledge than in a slot: the attacker waits for the best aggregate of the
 * others. If no other member aggregates, the attacker has no honest votes to include.
 */
export function sampleSubcommittee(odds: GriefingOdds, random: RandomStream): SampledSubcommittee {
  const { members } = odds.election;
  const modulus = electionModulus(odds.election);
  const honest: number[] = [];
  const eve: number[] = [];
  const aggregators: ('honest' | 'eve')[] = [];
  for (let member = 0; member < members; member++) {
    const isEve = random.nextUnit() < odds.eveShare;
    if (!isEve && odds.participation < 1 && random.nextUnit() >= odds.participation) continue;
    (isEve ? eve : honest).push(member);
    if (isElected(random.nextUint32(), random.nextUint32(), modulus)) aggregators.push(isEve ? 'eve' : 'honest');
  }
  const honestVotes = setOf(honest, members);
  const eveVotes = setOf(eve, members);
  const eveAggregators = aggregators.filter((who) => who === 'eve').length;
  const honestAggregators = aggregators.length - eveAggregators;
  const honestAggregate = griefing.votes(eveAggregators > 0) ? setOf([...honest, ...eve], members) : honestVotes;
  const griefed =
    eveAggregators === 0
      ? undefined
      : griefing.aggregate({
          verified: honestAggregators === 0 ? emptySet(members) : honestVotes,
          hers: eveVotes,
          member: eve[0]!,
          order: leftOutFirst(honest, random),
        });
  return {
    honestVotes,
    eveVotes,
    aggregates: aggregators.map((who) => (who === 'eve' ? griefed! : honestAggregate)),
    honestAggregators,
    eveAggregators,
  };
}

/** Yields honest voters in the order in which the attacker leaves them out: the target, then random others. */
function* leftOutFirst(honest: readonly number[], random: RandomStream): Generator<number> {
  const order = [...honest];
  for (let place = 0; place < order.length; place++) {
    if (place > 0 || order[0] !== singledOut) {
      const other = place + random.nextBelow(order.length - place);
      [order[place], order[other]] = [order[other]!, order[place]!];
    }
    yield order[place]!;
  }
}

function setOf(list: readonly number[], members: number): MemberSet {
  const set = emptySet(members);
  for (const member of list) addMember(set, member);
  return set;
}

/**
 * A share of the votes as observed, and the 99.9 % interval of its expectation. The share can exceed 1 by chance, if
 * more votes are lost than are expected to be cast. Without votes, the share is NaN.
 */
export interface LossShare {
  readonly share: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the honest validators' losses as a share of the votes that they are expected to cast. Losses due to a missing
 * honest aggregator are rare and affect a whole subcommittee, so a standard error is not informative. If there are no
 * other losses, the interval is that for the number of such events.
 *
 * @param votes expected number of votes per subcommittee and slot.
 */
export function honestLossShare(outcome: GriefingOutcome, name: ForwardingName, votes: number): LossShare {
  requireObject('outcome', outcome);
  requireObject('outcome.losses', outcome.losses);
  if (!Object.hasOwn(outcome.losses, name))
    throw new RangeError(expected('name', Object.keys(outcome.losses).join(' or '), name));
  const { honest, withHonestAggregator } = outcome.losses[name];
  const share = honest.mean / votes;
  if (withHonestAggregator.max > 0) {
    const half = (deviations * honest.standardError) / votes;
    return { share, min: Math.max(0, share - half), max: share + half };
  }
  const [min, max] = wilsonInterval(outcome.withoutHonestAggregator, honest.samples);
  if (outcome.withoutHonestAggregator === 0) return { share, min: 0, max };
  const lostThere = (share * honest.samples) / outcome.withoutHonestAggregator;
  return { share, min: min * lostThere, max: max * lostThere };
}

/** Returns the share of lost votes if each sample is a single vote, lost or not. */
export function singleVoteLossShare(estimate: MeanEstimate): LossShare {
  requireObject('estimate', estimate);
  const { mean, samples } = estimate;
  const [min, max] = wilsonInterval(Math.round(mean * samples), samples);
  return { share: mean, min, max };
}
