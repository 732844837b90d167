import { Duty } from '../../horn/duties.ts';
import type { HornTopic } from '../../horn/node.ts';
import { Digest } from '../digest.ts';
import type { SlotWorld } from './slotWorld.ts';
import { DelayTally, PaceTally } from './tally.ts';
import { VoteSets } from './voteSets.ts';

/** What is known of a topic's traffic: of all topics of the kind together. */
export class TopicTally {
  readonly delay = new DelayTally();
  readonly pace = new PaceTally();
  /** Messages published, each once. */
  published = 0;
  /** Copies that went over links. */
  copies = 0;
}

/**
 * What happened in a slot, by place and by message, whichever way it was played: votes in flat columns of microseconds, where -1 is never, and the
 * sets of votes that were sent on.
 */
export class Ledger {
  readonly castUs: Int32Array;
  /** Verified by an aggregator of its subcommittee, the first. */
  readonly seenUs: Int32Array;
  /** Verified by the proposer within an aggregate or a collection from the global topic. */
  readonly reachUs: Int32Array;
  readonly aggregates: VoteSets;
  readonly collections: VoteSets;
  /** By {@link HornTopic}. */
  readonly topics = [new TopicTally(), new TopicTally(), new TopicTally(), new TopicTally()] as const;
  /** What of the global topic the proposer has verified: the number of the set and when, in order. */
  readonly arrivals: { readonly set: number; readonly atUs: number }[] = [];
  /** When full nodes that are watched had the threshold; those that never had are left out. */
  readonly reachedUs: number[] = [];
  watched = 0;
  readonly digest = new Digest();

  constructor({ voters, subcommittee, committee }: SlotWorld) {
    this.castUs = new Int32Array(voters).fill(-1);
    this.seenUs = new Int32Array(voters).fill(-1);
    this.reachUs = new Int32Array(voters).fill(-1);
    this.aggregates = new VoteSets(subcommittee);
    this.collections = new VoteSets(committee);
  }

  /** What is sent to the global topic. */
  globalSets({ collects }: SlotWorld): VoteSets {
    return collects ? this.collections : this.aggregates;
  }

  topic(topic: HornTopic): TopicTally {
    return this.topics[topic];
  }
}

/** Live voters' votes that were not in the proposer's reach when the slot ended, by what they were lost to first. */
export interface LostVotes {
  /** The subcommittee has no live aggregator. */
  readonly missingAggregators: number;
  /** Verified by no aggregator in its time. */
  readonly lateForAggregators: number;
  /** The committee has no live collector. */
  readonly missingCollectors: number;
  /** In an aggregate, but in no collection: aggregates were late, or others were heavier. */
  readonly notCollected: number;
  /** On the global topic, but not verified by the proposer in time. */
  readonly lateOnGlobalTopic: number;
}

export function lostVotes(ledger: Ledger, world: SlotWorld): LostVotes {
  const { voters, alive, duties, subcommittee, committee, collects, clock } = world;
  const lost = {
    missingAggregators: 0,
    lateForAggregators: 0,
    missingCollectors: 0,
    notCollected: 0,
    lateOnGlobalTopic: 0,
  };
  const hasDuty = (duty: number, members: number): Uint8Array => {
    const has = new Uint8Array(voters / members);
    for (let place = 0; place < voters; place++) {
      if (alive[place] === 1 && (duties[place]! & duty) !== 0) has[Math.floor(place / members)] = 1;
    }
    return has;
  };
  const aggregated = union(ledger.aggregates, voters);
  const collected = union(ledger.collections, voters);
  const hasAggregator = hasDuty(Duty.aggregator, subcommittee);
  const hasCollector = hasDuty(Duty.collector, committee);
  for (let place = 0; place < voters; place++) {
    const atUs = ledger.reachUs[place]!;
    if (alive[place] === 0 || (atUs !== -1 && atUs <= clock.endUs)) continue;
    if (hasAggregator[Math.floor(place / subcommittee)] === 0) lost.missingAggregators++;
    else if (aggregated[place] === 0) lost.lateForAggregators++;
    else if (collects && hasCollector[Math.floor(place / committee)] === 0) lost.missingCollectors++;
    else if (collects && collected[place] === 0) lost.notCollected++;
    else lost.lateOnGlobalTopic++;
  }
  return lost;
}

/** 1 at each place whose vote is in any of the sets. */
function union(sets: VoteSets, voters: number): Uint8Array {
  const places = new Uint8Array(voters);
  for (let index = 0; index < sets.count; index++) {
    const start = sets.group(index) * sets.members;
    for (let bit = 0; bit < sets.members; bit++) if (sets.has(index, bit)) places[start + bit] = 1;
  }
  return places;
}
