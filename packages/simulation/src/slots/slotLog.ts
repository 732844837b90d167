import type { HornTopic } from '@tutti/core/internal/horn';
import { Digest } from '../engine/digest.ts';
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
  /** Messages that members verified, each once by each. */
  checked = 0;
}

/**
 * What happened in a slot, by place and by message, whichever way it was played: votes in flat columns of microseconds,
 * where -1 is never, and the sets of votes that were sent on.
 */
export class SlotLog {
  readonly castUs: Int32Array;
  /** Verified by the first honest aggregator of its subcommittee. */
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
  /** Topics whose members still verify, on average, when what follows from them is due. */
  readonly overloaded = new Set<HornTopic>();
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
