import { Duty, hasMember } from '@tutti/core/horn-rules';
import { hornAttackNamed } from '../horn/attacks.ts';
import type { SentSet, SlotLog } from './slotLog.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { SlotWorld } from './slotWorld.ts';

/** What an honest vote can be lost to, in the order in which it is looked for. */
export const lossNames = [
  /** The subcommittee has no aggregator that lives. */
  'missingAggregators',
  /** It has some, but all are Eve's. */
  'hostileAggregators',
  /** Verified by no honest aggregator in its time. */
  'lateForAggregators',
  /** The committee has no collector that lives. */
  'missingCollectors',
  /** It has some, but all are Eve's. */
  'hostileCollectors',
  /** In an aggregate, but in no collection: one of Eve's, which leaves it out, outweighed that. */
  'outweighed',
  /** In an aggregate, but in no collection for another reason: aggregates were late, or others were heavier. */
  'notCollected',
  /** On the global topic, but not verified by the proposer in time. */
  'lateOnGlobalTopic',
] as const;

export type LossName = (typeof lossNames)[number];

/**
 * The votes of live honest voters that were not in the proposer's reach when the slot ended, by the first cause of
 * their loss.
 */
export type LostVotes = Readonly<Record<LossName, number>>;

/**
 * What the vote at each place was lost to, an index into {@link lossNames}; -1 if it was not lost, or if nobody honest
 * votes there.
 */
export function losses(scenario: SlotScenario, world: SlotWorld, log: SlotLog): Int8Array {
  const { voters, alive, present, subcommittee, committee, collects, clock } = world;
  const aggregators = { of: subcommittee, duty: Duty.aggregator };
  const collectors = { of: committee, duty: Duty.collector };
  const has = {
    aggregator: elected(world, present, aggregators),
    honestAggregator: elected(world, alive, aggregators),
    collector: elected(world, present, collectors),
    honestCollector: elected(world, alive, collectors),
  };
  const aggregated = union(log.aggregates, subcommittee, world, true);
  const collected = union(log.collections, committee, world, false);
  const griefed = griefedSubcommittees(scenario, world, collected);
  const loss = (place: number): LossName => {
    const ofSubcommittee = Math.floor(place / subcommittee);
    const ofCommittee = Math.floor(place / committee);
    if (has.aggregator[ofSubcommittee] === 0) return 'missingAggregators';
    if (has.honestAggregator[ofSubcommittee] === 0) return 'hostileAggregators';
    if (aggregated[place] === 0) return 'lateForAggregators';
    if (!collects) return 'lateOnGlobalTopic';
    if (has.collector[ofCommittee] === 0) return 'missingCollectors';
    if (collected[place] === 1) return 'lateOnGlobalTopic';
    if (has.honestCollector[ofCommittee] === 0) return 'hostileCollectors';
    return griefed[ofSubcommittee] === 1 ? 'outweighed' : 'notCollected';
  };
  return Int8Array.from({ length: voters }, (_, place) => {
    const atUs = log.reachUs[place]!;
    const isLost = alive[place] === 1 && (atUs === -1 || atUs > clock.endUs);
    return isLost ? lossNames.indexOf(loss(place)) : -1;
  });
}

export function lostVotes(lostTo: Int8Array): LostVotes {
  const counts = lossNames.map(() => 0);
  for (const index of lostTo) if (index !== -1) counts[index]!++;
  return Object.fromEntries(lossNames.map((name, index) => [name, counts[index]!])) as LostVotes;
}

/** 1 for each group of which somebody with the duty is marked. */
function elected(
  { voters, duties }: SlotWorld,
  marks: Uint8Array,
  { of, duty }: { readonly of: number; readonly duty: number },
): Uint8Array {
  const has = new Uint8Array(voters / of);
  for (let place = 0; place < voters; place++) {
    if (marks[place] === 1 && (duties[place]! & duty) !== 0) has[Math.floor(place / of)] = 1;
  }
  return has;
}

/** 1 at each place whose vote is in any of the sets, or in any that somebody honest has made. @param members of a set. */
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

/** 1 for each subcommittee with a collected aggregate that contains votes Eve had kept back for it. */
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
