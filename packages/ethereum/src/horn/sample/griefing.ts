import { RandomStream } from '@tutti/core';
import { hasMember, type MemberSet, sizeBeyond, sizeOf, union } from '@tutti/core/horn';
import { requireInteger, requireNumber, requireObject } from '@tutti/core/input';
import { type MeanEstimate, MeanEstimator } from '../statistics.ts';
import { type ForwardingName, type ForwardingScheme, forwardingNames, forwardingSchemes } from './forwarding.ts';
import { type GriefingOdds, type SampledSubcommittee, sampleSubcommittee, singledOut } from './subcommittee.ts';

/** Parameters of {@link sampleGriefing}: the odds of the attack, and the number of slots to sample. */
export interface GriefingSample extends GriefingOdds {
  readonly slots: number;
  /**
   * Number of subcommittees that are simulated per slot. They are independent of each other, so those of one committee
   * represent all.
   */
  readonly subcommittees: number;
  readonly seed: number;
}

/**
 * A sum of overlapping aggregates over the whole committee: the multiplicity of each validator, in order of
 * subcommittees.
 */
export type Collection = Uint8Array;

/** Callback for the collections of each scheme, called after each slot. Each slot has new collections. */
export type OnCollections = (name: ForwardingName, collections: readonly Collection[]) => void;

/** Losses over all slots. */
export interface GriefingLosses {
  /** Number of honest votes per subcommittee and slot that are in none of the collector's collections. */
  readonly honest: MeanEstimate;
  /** The same number for subcommittees with an honest aggregator. */
  readonly withHonestAggregator: MeanEstimate;
  /** Number of lost votes of the attacker per subcommittee and slot. */
  readonly eve: MeanEstimate;
  /** Lost honest votes of the validator that the attacker targets, 0 or 1 per slot. */
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
