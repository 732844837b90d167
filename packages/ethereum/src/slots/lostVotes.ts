import { hasMember } from '@tutti/core/horn';
import { hornAttackNamed } from '../horn/attacks.ts';
import type { SentSet, SlotLog } from './slotLog.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { ElectedPlaces, SlotWorld } from './slotWorld.ts';

/** Causes of a lost honest vote. A vote that is in a collection has the cause `lateOnGlobalTopic`. */
export const lossNames = [
  /** The subcommittee has no live aggregator. */
  'missingAggregators',
  /** The subcommittee has live aggregators, but all are Byzantine. */
  'hostileAggregators',
  /** No honest aggregator verified the vote in time. */
  'lateForAggregators',
  /** The committee has no live collector. */
  'missingCollectors',
  /** The committee has live collectors, but all are Byzantine. */
  'hostileCollectors',
  /**
   * The vote is in an aggregate, but in no collection: a heavier Byzantine aggregate, which leaves it out, was
   * preferred.
   */
  'outweighed',
  /**
   * The vote is in an aggregate, but in no collection for another reason: aggregates were late, or others were heavier.
   */
  'notCollected',
  /** The vote is on the global topic, but the proposer did not verify it in time. */
  'lateOnGlobalTopic',
] as const;

/** Name of one of {@link lossNames}. */
export type LossName = (typeof lossNames)[number];

/** Number of votes of live honest voters that the proposer did not have when the slot ended, by cause. */
export type LostVotes = Readonly<Record<LossName, number>>;

/**
 * Returns the cause of loss at each place, an index into {@link lossNames}. The cause is -1 if the vote was not lost,
 * or if no honest validator votes at the place.
 */
export function losses(scenario: SlotScenario, world: SlotWorld, log: SlotLog): Int8Array {
  const { voters, alive, elected, subcommittee, committee, collects, clock } = world;
  const hasHonest = (groups: ElectedPlaces['aggregators']) =>
    groups.map((places) => places.some((at) => alive[at] === 1));
  const hasHonestAggregator = hasHonest(elected.aggregators);
  const hasHonestCollector = hasHonest(elected.collectors);
  const aggregated = union(log.aggregates, subcommittee, world, true);
  const collected = union(log.collections, committee, world, false);
  const griefed = griefedSubcommittees(scenario, world, collected);
  const loss = (place: number): LossName => {
    const ofSubcommittee = Math.floor(place / subcommittee);
    const ofCommittee = Math.floor(place / committee);
    if (collected[place] === 1) return 'lateOnGlobalTopic';
    if (elected.aggregators[ofSubcommittee]!.length === 0) return 'missingAggregators';
    if (!hasHonestAggregator[ofSubcommittee]) return 'hostileAggregators';
    if (aggregated[place] === 0) return 'lateForAggregators';
    if (!collects) return 'lateOnGlobalTopic';
    if (elected.collectors[ofCommittee]!.length === 0) return 'missingCollectors';
    if (!hasHonestCollector[ofCommittee]) return 'hostileCollectors';
    return griefed[ofSubcommittee] === 1 ? 'outweighed' : 'notCollected';
  };
  return Int8Array.from({ length: voters }, (_, place) => {
    const atUs = log.reachUs[place]!;
    const isLost = alive[place] === 1 && (atUs === -1 || atUs > clock.endUs);
    return isLost ? lossNames.indexOf(loss(place)) : -1;
  });
}

/** Counts the lost votes by cause. The argument is a result of {@link losses}. */
export function lostVotes(lostTo: Int8Array): LostVotes {
  const counts = lossNames.map(() => 0);
  for (const index of lostTo) if (index !== -1) counts[index]!++;
  return Object.fromEntries(lossNames.map((name, index) => [name, counts[index]!])) as LostVotes;
}

/**
 * Returns a flag for each place: 1 if its vote is in one of the sets or, with `honestOnly`, in a set by an honest
 * author.
 *
 * @param members number of members of a set.
 */
function union(
  sets: readonly SentSet[],
  members: number,
  { voters, alive }: SlotWorld,
  honestOnly: boolean,
): Uint8Array {
  const places = new Uint8Array(voters);
  for (const { place, set } of sets) {
    if (honestOnly && alive[place] === 0) continue;
    for (let bit = 0; bit < members; bit++) if (hasMember(set.bits, bit)) places[set.group * members + bit] = 1;
  }
  return places;
}

/** Returns a flag for each subcommittee: 1 if a collected aggregate contains votes that Eve had withheld for it. */
function griefedSubcommittees(
  { attacks }: SlotScenario,
  { voters, casts, attack, subcommittee }: SlotWorld,
  collected: Uint8Array,
): Uint8Array {
  const isGriefing = attacks.map(({ name }) => hornAttackNamed(name)!.prefersHers);
  const griefed = new Uint8Array(voters / subcommittee);
  for (let place = 0; place < voters; place++) {
    if (collected[place] === 1 && casts[place] === 0 && isGriefing[attack[place]!] === true) {
      griefed[Math.floor(place / subcommittee)] = 1;
    }
  }
  return griefed;
}
