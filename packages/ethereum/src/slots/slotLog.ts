import { HornTopic } from '@tutti/core/horn';
import { popcount } from '@tutti/core/packed';
import { Digest } from '@tutti/simulation/engine';
import type { AuthoredSet, Layer, PublishedSet, SlotRun, SlotWatch } from './network/slotRun.ts';
import type { SlotWorld } from './slotWorld.ts';

/** Kinds of topics, in the order of Horn's rounds. */
export const slotTopics = ['subnet', 'committee', 'global'] as const;
/** Name of one of {@link slotTopics}. */
export type SlotTopic = (typeof slotTopics)[number];

/** A sent set of votes, with its sender's place. */
export type SentSet = Omit<AuthoredSet, 'members'>;

/** Traffic of all topics of one kind. */
class TopicTally {
  /** Delays from publication to verification by the recipients, in bins of 1 ms. */
  readonly delays = new Histogram(1000);
  /** Verification times, in bins of a quarter of a second. */
  readonly verified = new Histogram(250_000);
  /** Number of messages published, each counted once. */
  published = 0;
  /** Number of copies sent over links. */
  copies = 0;
  /** Number of verifications, one per message and receiving member. */
  checked = 0;
  /** Mean over topics of the total number of neighbours that a topic's members lack compared with D. */
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
  /** Sets of the global topic that the proposer has verified: their numbers and verification times, in order. */
  readonly arrivals: { readonly set: number; readonly atUs: number }[] = [];
  /**
   * Times at which observed full nodes reached the threshold, µs. Nodes that never reached the threshold are left out.
   */
  readonly reachedUs: number[] = [];
  /** Number of observed full nodes. */
  watched = 0;
  /** Topics in which most members are still verifying when the topic's messages are due. */
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

  /** Sets on the global topic, in order of publication. */
  get globalSets(): SentSet[] {
    return this.#world.collects ? this.collections : this.aggregates;
  }

  published(layer: Layer, place: number, set: PublishedSet | undefined, atUs: number): void {
    this.topics[topicOfLayer[layer]].published++;
    if (set === undefined) {
      this.castUs[place] = atUs;
      return;
    }
    const sets = layer === 'global' ? this.globalSets : this.aggregates;
    sets.push({ place, set });
    this.digest.add(place, set.weight);
  }

  verified(layer: Layer, sentUs: number, atUs: Int32Array): void {
    const { delays, verified } = this.topics[topicOfLayer[layer]];
    for (const one of atUs) {
      if (one === sentUs || one === -1) continue;
      delays.add(one - sentUs);
      verified.add(one);
    }
  }

  seen(vote: number, aggregator: number, atUs: number): void {
    if (this.#world.alive[aggregator] === 0) return;
    if (this.seenUs[vote] === -1 || atUs < this.seenUs[vote]!) this.seenUs[vote] = atUs;
  }

  missingPeers(layer: Layer, count: number): void {
    this.topics[topicOfLayer[layer]].missingPeers = count;
  }

  overloaded(layer: Layer): void {
    this.overloadedTopics.add(topicOfLayer[layer]);
  }

  /**
   * Counts copies and verifications. Each message is assumed to reach all members of its topic. A member verifies a
   * message once, and forwards it to all its neighbours except the sender.
   */
  countCopies(degree: number): void {
    const { voters, presentVoters, presentCount, subcommittee, committee } = this.#world;
    const members = {
      subnet: (presentVoters * subcommittee) / voters,
      committee: (presentVoters * committee) / voters,
    };
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
   * Records the sets that one full node verified on the global topic, with the verification times.
   *
   * @param observer index of the node among the observed nodes.
   * @param counted votes that count, as {@link wordsOf} returns them.
   */
  observe({ verifiedUs }: SlotRun, observer: number, counted: Int32Array, isProposer: boolean): void {
    const sets = this.globalSets;
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

  /** Places of honest voters, in the layout of {@link wordsOf}. */
  get counted(): Int32Array {
    return wordsOf(this.#world.globalMembers, this.#world.alive.subarray(0, this.#world.voters));
  }
}

/**
 * Packs marked places into words, in the layout of the groups' sets, one group after another.
 *
 * @param members number of members per group.
 */
export function wordsOf(members: number, marks: Uint8Array): Int32Array {
  const words = Math.ceil(members / 32);
  const all = new Int32Array((marks.length / members) * words);
  marks.forEach((mark, place) => {
    const bit = place % members;
    if (mark === 1) all[Math.floor(place / members) * words + (bit >>> 5)]! |= 1 << (bit & 31);
  });
  return all;
}

/** Votes that one full node knows from the global topic. */
export class Reach {
  readonly #members: number;
  readonly #counted: Int32Array;
  readonly #union: Int32Array;
  #votes = 0;

  /**
   * Starts without votes.
   *
   * @param members number of members per group.
   * @param counted places whose votes count, as returned by {@link wordsOf}.
   */
  constructor(members: number, counted: Int32Array) {
    this.#members = members;
    this.#counted = counted;
    this.#union = new Int32Array(counted.length);
  }

  /** Number of votes that count. */
  get votes(): number {
    return this.#votes;
  }

  /**
   * Adds the votes of a set.
   *
   * @param onVote called with the place of each new vote, whether it counts or not.
   */
  add({ group, bits }: Pick<PublishedSet, 'group' | 'bits'>, onVote?: (place: number) => void): void {
    for (let word = 0; word < bits.length; word++) {
      const at = group * bits.length + word;
      const fresh = bits[word]! & ~this.#union[at]!;
      if (fresh === 0) continue;
      this.#union[at]! |= fresh;
      this.#votes += popcount(fresh & this.#counted[at]!);
      if (onVote === undefined) continue;
      for (let left = fresh; left !== 0; left &= left - 1) {
        onVote(group * this.#members + word * 32 + (31 - Math.clz32(left & -left)));
      }
    }
  }
}

/** Counts of times in bins of equal width. */
export class Histogram {
  readonly #binUs: number;
  readonly #counts: number[] = [];
  #sumUs = 0;
  #count = 0;

  constructor(binUs: number) {
    this.#binUs = binUs;
  }

  add(us: number): void {
    const bin = Math.floor(us / this.#binUs);
    while (this.#counts.length <= bin) this.#counts.push(0);
    this.#counts[bin]!++;
    this.#sumUs += us;
    this.#count++;
  }

  /** Mean time, ms; 0 without times. */
  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sumUs / this.#count / 1000;
  }

  /** Returns a percentile of the times, ms: the middle of its bin; 0 without times. */
  percentileMs(percent: number): number {
    let left = (this.#count * percent) / 100;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      left -= this.#counts[bin]!;
      if (left <= 0) return ((bin + 0.5) * this.#binUs) / 1000;
    }
    return 0;
  }

  /** Returns the largest share of all times in any `bins` consecutive bins; 0 without times. */
  maxShare(bins: number): number {
    let max = 0;
    let sum = 0;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      sum += this.#counts[bin]! - (this.#counts[bin - bins] ?? 0);
      max = Math.max(max, sum);
    }
    return this.#count === 0 ? 0 : max / this.#count;
  }
}
