import { HornTopic } from '@tutti/core/horn';
import { Digest } from '@tutti/simulation/engine';
import type { Layer, PublishedSet, SlotRun, SlotWatch } from './network/slotRun.ts';
import { Reach, wordsOf } from './reach.ts';
import type { SlotWorld } from './slotWorld.ts';
import { DelayTally, PaceTally } from './tally.ts';

/** Kinds of topics, in the order of Horn's rounds. */
export const slotTopics = ['subnet', 'committee', 'global'] as const;
/** Name of one of {@link slotTopics}. */
export type SlotTopic = (typeof slotTopics)[number];

/** A set of votes that was sent, with its sender's place. */
export interface SentSet {
  readonly place: number;
  readonly set: PublishedSet;
}

/** Traffic of all topics of one kind. */
class TopicTally {
  readonly delay = new DelayTally();
  readonly pace = new PaceTally();
  /** Number of messages published, each counted once. */
  published = 0;
  /** Number of copies sent over links. */
  copies = 0;
  /** Number of messages verified, each once per member. */
  checked = 0;
  /** Total number of neighbours that the members of one topic lack in comparison with D. */
  missingPeers = 0;
}

const topicOfLayer = { subnets: HornTopic.subnet, committees: HornTopic.committee, global: HornTopic.global } as const;

/**
 * Events of a slot by place and by message, in either mode. Votes are in flat columns of times in µs, where -1 stands
 * for never. Sets of votes are in lists.
 */
export class SlotLog implements SlotWatch {
  readonly castUs: Int32Array;
  /** Time at which the first honest aggregator of its subcommittee verified each vote, µs; -1 for never. */
  readonly seenUs: Int32Array;
  /**
   * Time at which the proposer verified each vote in an aggregate or a collection from the global topic, µs; -1 for
   * never.
   */
  readonly reachUs: Int32Array;
  /** Aggregates in order of publication. */
  readonly aggregates: SentSet[] = [];
  readonly collections: SentSet[] = [];
  /** Traffic by {@link HornTopic}. */
  readonly topics = [new TopicTally(), new TopicTally(), new TopicTally(), new TopicTally()] as const;
  /** Sets of the global topic that the proposer has verified, as numbers and times, in order. */
  readonly arrivals: { readonly set: number; readonly atUs: number }[] = [];
  /** Times at which observed full nodes reached the threshold, µs. Nodes that never reached it are left out. */
  readonly reachedUs: number[] = [];
  watched = 0;
  /** Topics whose members are, on average, still verifying when the next layer's messages are due. */
  readonly overloadedTopics = new Set<HornTopic>();
  readonly digest = new Digest();

  readonly #world: SlotWorld;

  constructor(world: SlotWorld) {
    const { voters } = world;
    this.#world = world;
    this.castUs = new Int32Array(voters).fill(-1);
    this.seenUs = new Int32Array(voters).fill(-1);
    this.reachUs = new Int32Array(voters).fill(-1);
  }

  /** Returns the sets on the global topic. */
  globalSets({ collects }: Pick<SlotWorld, 'collects'>): SentSet[] {
    return collects ? this.collections : this.aggregates;
  }

  topic(topic: HornTopic): TopicTally {
    return this.topics[topic];
  }

  published(layer: Layer, place: number, set: PublishedSet | undefined, atUs: number): void {
    this.topics[topicOfLayer[layer]].published++;
    if (set === undefined) {
      this.castUs[place] = atUs;
      return;
    }
    const sets = layer === 'global' ? this.globalSets(this.#world) : this.aggregates;
    sets.push({ place, set });
    this.digest.add(place, set.weight);
  }

  verified(layer: Layer, sentUs: number, atUs: Int32Array): void {
    const { delay, pace } = this.topics[topicOfLayer[layer]];
    for (const one of atUs) {
      if (one === sentUs || one === -1) continue;
      delay.add(one - sentUs);
      pace.add(one);
    }
  }

  seen(vote: number, aggregator: number, atUs: number): void {
    if (this.#world.alive[aggregator] === 0 || !Number.isFinite(atUs)) return;
    if (this.seenUs[vote] === -1 || atUs < this.seenUs[vote]!) this.seenUs[vote] = atUs;
  }

  missingPeers(layer: Layer, count: number): void {
    this.topics[topicOfLayer[layer]].missingPeers = count;
  }

  overloaded(layer: Layer): void {
    this.overloadedTopics.add(topicOfLayer[layer]);
  }

  /**
   * Counts copies and verifications. Each member that a message reaches verifies it once. Then the member forwards it
   * to all its neighbours except the sender.
   */
  countCopies(degree: number): void {
    const { voters, present, presentCount, subcommittee, committee } = this.#world;
    const voting = present.subarray(0, voters).reduce((count, one) => count + one, 0);
    const members = { subnet: (voting * subcommittee) / voters, committee: (voting * committee) / voters };
    for (const name of slotTopics) {
      const tally = this.topics[HornTopic[name]];
      const count = name === 'global' ? presentCount : members[name];
      const receivers = Math.max(0, count - 1);
      const neighbours = count * Math.min(degree, receivers) - tally.missingPeers;
      tally.copies = Math.round(tally.published * Math.max(0, neighbours - receivers));
      tally.checked = Math.round(tally.published * receivers);
    }
  }

  /**
   * Records the sets that one full node verified on the global topic, with the times.
   *
   * @param observer index of the node among the observed nodes. @param counted votes that count, as `wordsOf` returns
   * them.
   */
  observe({ verifiedUs }: SlotRun, observer: number, counted: Int32Array, isProposer: boolean): void {
    const sets = this.globalSets(this.#world);
    // One number combines a time and a set's number, so that sorting is by time and then by set.
    const order = new Float64Array(sets.length);
    let count = 0;
    for (let set = 0; set < sets.length; set++) {
      const atUs = verifiedUs[set]![observer]!;
      if (atUs !== -1) order[count++] = atUs * sets.length + set;
    }
    const reach = new Reach(this.#world.globalMembers, counted);
    let reachedUs = -1;
    for (const key of order.subarray(0, count).sort()) {
      const set = key % sets.length;
      const atUs = (key - set) / sets.length;
      const onVote = (vote: number): void => {
        this.reachUs[vote] = atUs;
      };
      reach.add(sets[set]!.set, isProposer ? onVote : undefined);
      if (reachedUs === -1 && reach.votes >= this.#world.threshold) reachedUs = atUs;
      if (isProposer) {
        this.arrivals.push({ set, atUs });
        this.digest.add(set, atUs);
      } else if (reachedUs !== -1) {
        break;
      }
    }
    this.watched++;
    if (reachedUs !== -1) this.reachedUs.push(reachedUs);
  }

  /** Places of honest voters. */
  get counted(): Int32Array {
    return wordsOf(this.#world.globalMembers, this.#world.alive.subarray(0, this.#world.voters));
  }
}
