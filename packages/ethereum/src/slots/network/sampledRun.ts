import { RandomStream } from '@tutti/core';
import {
  addMember,
  collect,
  emptySet,
  hasMember,
  keepBest,
  type MemberSet,
  noAggregate,
  type SlotClock,
  shiftInto,
} from '@tutti/core/horn';
import { expected } from '@tutti/core/input';
import { clockOf } from '../../horn/network/systems.ts';
import { Priority } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { defaultSampleSizes, LayerSamples, progressAt, type SampleSizes, type SentSample } from './layerSamples.ts';
import type { Burden, SlotBacklog } from './loads.ts';
import { aggregateMessage, type Ballot, ballotsOf, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { alikeOf, type Pattern, patternsOf, standIns, type TopicContents, verifiedVotes } from './patterns.ts';
import { committeeRange } from './roles.ts';
import { type AuthoredSet, authoredSets, type SlotRun, type SlotWatch, type SubnetArrivals } from './slotRun.ts';
import type { Publication, TopicSample } from './topicSample.ts';

/**
 * Simulates a sample of a slot message by message, topic by topic: some whole subnets, some committees' topics, and the
 * global topic on some of its nodes. Subnets and committees outside the sample take over the results of simulated ones,
 * member by member for the same kind of node.
 *
 * @param before load that the previous slot has left on links and cores.
 * @throws RangeError if clients ignore covered messages, because in a sample sources are not as dense as in the whole
 * network.
 */
export function runSampled(
  world: NetworkWorld,
  sizes: SampleSizes = defaultSampleSizes,
  before?: SlotBacklog,
): SlotRun {
  if (world.scenario.client.ignoresCovered === true) {
    throw new RangeError(expected('ignoresCovered', 'false unless every message is run', true));
  }
  const pieces = new SampledRun(world, sizes, before, undefined).run();
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/**
 * Simulates a sample in pieces, for worlds with the post's assumptions. Each piece yields the progress of the slot, 0
 * to 1.
 */
export function runningSampled(world: NetworkWorld, sizes: SampleSizes, watch: SlotWatch): Generator<number, SlotRun> {
  return new SampledRun(world, sizes, undefined, watch).run();
}

/** A simulated topic, with the results of the nodes that aggregate or collect its messages. */
interface SampledTopic extends SentSample {
  readonly patterns: readonly Pattern[];
}

class SampledRun {
  readonly #world: NetworkWorld;
  readonly #sizes: SampleSizes;
  readonly #clock: SlotClock;
  readonly #random: RandomStream;
  readonly #layers: LayerSamples;
  readonly #watch: SlotWatch | undefined;
  readonly #arrivals: SubnetArrivals[] = [];

  constructor(world: NetworkWorld, sizes: SampleSizes, before: SlotBacklog | undefined, watch: SlotWatch | undefined) {
    this.#world = world;
    this.#sizes = sizes;
    this.#clock = clockOf(world.system);
    this.#random = new RandomStream(world.scenario.seed, 'sampled slot');
    this.#layers = new LayerSamples(world, sizes, before, this.#random, watch);
    this.#watch = watch;
  }

  *run(): Generator<number, SlotRun> {
    const { post } = this.#world;
    const published = yield* this.#published();
    for (const { place, set } of published) this.#watch?.published('global', place, set, set.sentUs);
    yield progressAt.global;
    const sample = this.#sampleGlobal(published);
    return {
      ...this.#layers.results(),
      sets: published.map(({ set }) => set),
      observers: sample.members,
      verifiedUs: post === undefined ? untilBlock(sample.verifiedUs, this.#clock.endUs) : sample.verifiedUs,
      arrivals: this.#arrivals,
      copies: 0,
    };
  }

  /** Simulates the layers before the global topic, and returns the sets that are published on the global topic. */
  *#published(): Generator<number, readonly AuthoredSet[]> {
    const { system } = this.#world;
    if (system.gathering === 'handel') {
      const { published, loads, delay } = gatherByHandel(this.#world);
      this.#layers.recordHandel(loads, delay);
      return published;
    }
    const aggregates = yield* this.#aggregates();
    if (system.collectors === 0) return aggregates;
    for (const { place, set } of aggregates) this.#watch?.published('committees', place, set, set.sentUs);
    return yield* this.#collections(aggregates);
  }

  /** Simulates the sampled subnets, and returns the aggregates of all subcommittees. */
  *#aggregates(): Generator<number, AuthoredSet[]> {
    const world = this.#world;
    const { subcommittees, nodeAt, subnets, roles, post } = world;
    const membersOfOne = Math.min(this.#sizes.nodes, subnets[0]!.length);
    const affordable = Math.max(2, Math.floor((2 * this.#sizes.nodes) / membersOfOne));
    const max = Math.min(this.#sizes.subnets, affordable);
    const sampled = yield* this.#layers.sampleLayer('subnets', max, (group) => this.#sampleSubnet(group));
    if (this.#watch !== undefined) reportVotes(world, this.#watch);
    return subcommittees.flatMap(({ members, aggregators }, group) => {
      const { patterns } = sampled.get(this.#representative(sampled, group))!;
      const nodes = aggregators.map((place) => nodeAt[place]!);
      const had = standIns(patterns, nodes, world.classOf, this.#random);
      return aggregators.flatMap((place, index) => {
        const role = roles.of(place);
        const sentUs = role.clock.aggregateUs + (post?.lateUs[place] ?? 0);
        const verified = verifiedVotes(world, { group, place, untilUs: sentUs }, had[index], this.#watch);
        return authoredSets(place, { group, sentUs, bits: role.aggregate(verified) }, members);
      });
    });
  }

  /** Simulates one subnet, and returns the results of its aggregators' nodes. */
  #sampleSubnet(group: number): SampledTopic {
    const world = this.#world;
    const { subcommittees, nodeAt, castUs, subnets, observers, subnetsOf, scenario } = world;
    const { start, members, aggregators } = subcommittees[group]!;
    const ballots = ballotsOf(world, group);
    const startUs = ballots.reduce((first, { node }) => Math.min(first, castUs[node]!), this.#clock.attestUs);
    const burden = this.#layers.burdenAt(startUs);
    const ownBytes = voteBytesOf(world, members, ballots);
    const publications = this.#publicationsOfBallots(ballots, ownBytes, burden);
    const duties = Int32Array.from(new Set(aggregators.map((place) => nodeAt[place]!)));
    const sample = this.#layers.simulate('subnets', {
      members: subnets[group]!,
      wanted: observers.length === 0 ? duties : Int32Array.from(new Set([...duties, ...observers])),
      load: (node) => subnetsOf[node]!,
      publications,
      ownBytes,
      ownAtUs: (node) => castUs[node]!,
      startUs,
      burden,
      seed: scenario.seed + group,
    });
    this.#arrivals.push({
      subnet: group,
      members: sample.members,
      votes: ballots.map(({ node, members: of }, vote) => ({
        places: of.map((member) => start + member),
        node,
        castUs: castUs[node]!,
        verifiedUs: sample.verifiedUs[vote]!,
      })),
    });
    const contents = { publications, which: ballots.map((one) => one.members), count: members };
    return {
      sample,
      publications: publications.map((one) => ({ ...one, atUs: castUs[one.node]! })),
      patterns: this.#patternsOf(sample, duties, contents),
    };
  }

  /**
   * Returns the messages of ballots. The votes of a node leave over the same link, one after another in random order,
   * ahead of forwarded messages.
   */
  #publicationsOfBallots(
    ballots: readonly Ballot[],
    ownBytes: (node: number) => number,
    burden: Burden | undefined,
  ): Publication[] {
    const { up, classOf, castUs, scenario } = this.#world;
    const { d, fanout: copies = d, overheadBytes, publishWaitMs = Number.POSITIVE_INFINITY } = scenario.gossip;
    return ballots.map(({ node, message }) => {
      const otherBytes = Math.max(0, ownBytes(node) - copies * (message.bytes + overheadBytes));
      const aheadBytes = (burden?.up[node] ?? 0) + this.#random.nextUnit() * otherBytes;
      const aheadUs = aheadBytes / up[classOf[node]!]!;
      const atUs = Math.round(castUs[node]! + aheadUs);
      return { node, atUs, message, isOwed: true, isDropped: aheadUs > 1000 * publishWaitMs };
    });
  }

  /** Simulates the sampled committees' topics, and returns the collections of all committees. */
  *#collections(aggregates: readonly AuthoredSet[]): Generator<number, AuthoredSet[]> {
    const world = this.#world;
    const { system, collectors, nodeAt, roles, post } = world;
    const byCommittee = collectors.map((): AuthoredSet[] => []);
    for (const one of aggregates) byCommittee[Math.floor(one.set.group / system.subcommittees)]!.push(one);
    const sampled = yield* this.#layers.sampleLayer('committees', this.#sizes.committeeTopics, (committee) =>
      this.#sampleCommittee(committee, byCommittee[committee]!),
    );
    return collectors.flatMap((places, committee) => {
      const representative = this.#representative(sampled, committee);
      const sent = byCommittee[committee]!;
      const alike = alikeOf(sent, byCommittee[representative]!, ({ place }) => roles.isLate(place));
      const nodes = places.map((place) => nodeAt[place]!);
      const had = standIns(sampled.get(representative)!.patterns, nodes, world.classOf, this.#random);
      return places.flatMap((place, index) => {
        const sentUs = roles.of(place).clock.collectUs + (post?.lateUs[place] ?? 0);
        const verified = this.#verifiedAggregates(sent, alike, { place, untilUs: sentUs }, had[index]);
        const { bits, members } = collectionOf(world, committee, place, verified);
        return authoredSets(place, { group: committee, sentUs, bits }, members);
      });
    });
  }

  /** Simulates one committee's topic, and returns the results of its collectors' nodes. */
  #sampleCommittee(committee: number, aggregates: readonly AuthoredSet[]): SampledTopic {
    const { collectors, committeeTopics, committeeTopicsOf, nodeAt, scenario } = this.#world;
    const startUs = this.#clock.aggregateUs;
    const publications = this.#publicationsOf(aggregates, Priority.committee);
    const duties = Int32Array.from(new Set(collectors[committee]!.map((place) => nodeAt[place]!)));
    const sample = this.#layers.simulate('committees', {
      members: committeeTopics[committee]!,
      wanted: duties,
      load: (node) => committeeTopicsOf[node]!,
      publications,
      startUs,
      burden: this.#layers.burdenAt(startUs),
      seed: scenario.seed + 100_000 + committee,
    });
    const contents = { publications, which: aggregates.map((_, index) => [index]), count: aggregates.length };
    return { sample, publications, patterns: this.#patternsOf(sample, duties, contents) };
  }

  /**
   * Returns the aggregates of a committee that a collector has verified at a time.
   *
   * @param alike simulated aggregate that represents each aggregate.
   * @param like pattern of the node that represents the collector's node; undefined if there is none.
   */
  #verifiedAggregates(
    sent: readonly AuthoredSet[],
    alike: Int32Array,
    { place, untilUs }: { readonly place: number; readonly untilUs: number },
    like: Pattern | undefined,
  ): AuthoredSet[] {
    const before = (one: AuthoredSet): boolean => one.set.sentUs < untilUs;
    if (this.#world.post === undefined) {
      const missing = like?.missing(untilUs);
      return sent.filter((one, rank) => before(one) && !(missing && hasMember(missing, alike[rank]!)));
    }
    const delayUs = (rank: number): number => like?.delayUs(alike[rank]!) ?? Number.POSITIVE_INFINITY;
    return sent.filter(
      (one, rank) => before(one) && (one.place === place || one.set.sentUs + delayUs(rank) <= untilUs),
    );
  }

  /** Simulates the global topic. */
  #sampleGlobal(published: readonly AuthoredSet[]): TopicSample {
    const { system, post, scenario } = this.#world;
    const startUs = system.collectors > 0 ? this.#clock.collectUs : this.#clock.aggregateUs;
    const publications = this.#publicationsOf(published, Priority.global);
    const sample = this.#layers.simulate('global', {
      members: post?.present ?? Int32Array.from({ length: scenario.nodes }, (_, node) => node),
      wanted: Int32Array.from(post === undefined ? [] : [post.proposer]),
      load: () => 1,
      publications,
      startUs,
      burden: this.#layers.burdenAt(startUs),
      seed: scenario.seed,
    });
    this.#layers.recordGlobal({ sample, publications });
    return sample;
  }

  /** Returns the messages of aggregators or collectors. */
  #publicationsOf(sets: readonly AuthoredSet[], priority: Priority): Publication[] {
    return sets.map(({ place, set, members }) => ({
      node: this.#world.nodeAt[place]!,
      atUs: set.sentUs,
      message: aggregateMessage(this.#world, members, set.weight, priority),
    }));
  }

  /**
   * Returns the patterns of the nodes with duties. A topic without such nodes gets the patterns of all simulated
   * members, because any of them may represent a node of another topic.
   */
  #patternsOf(sample: TopicSample, duties: Int32Array, contents: TopicContents): Pattern[] {
    const wanted = duties.length > 0 ? duties : sample.members;
    return patternsOf(sample, contents, wanted, this.#world.classOf);
  }

  /** Returns the index of the simulated topic that represents a topic: the topic itself, or a random one. */
  #representative(sampled: ReadonlyMap<number, SampledTopic>, topic: number): number {
    return sampled.has(topic) ? topic : [...sampled.keys()][this.#random.nextBelow(sampled.size)]!;
  }
}

/**
 * Returns a function that estimates the total length of all copies of a node's own votes, on all subnets, bytes. Each
 * vote is assumed to be as long as the node's votes on this subnet on average, or as a single vote if there are none.
 * Copies are counted as for nodes outside the subnet, because few nodes are on the subnets for which they vote.
 *
 * @param members number of members of the subcommittee.
 * @param ballots messages with the subcommittee's votes.
 */
function voteBytesOf(world: NetworkWorld, members: number, ballots: readonly Ballot[]): (node: number) => number {
  const { d, fanout: copies = d, overheadBytes } = world.scenario.gossip;
  const singleBytes = voteMessage(world, members).bytes + overheadBytes;
  const onSubnet = new Map<number, { readonly bytes: number; readonly votes: number }>();
  for (const { node, members: of, message } of ballots) {
    const { bytes, votes } = onSubnet.get(node) ?? { bytes: 0, votes: 0 };
    onSubnet.set(node, { bytes: bytes + message.bytes + overheadBytes, votes: votes + of.length });
  }
  return (node) => {
    const own = onSubnet.get(node);
    return world.votesOf[node]! * copies * (own === undefined ? singleBytes : own.bytes / own.votes);
  };
}

/** Returns the collection of a collector that has verified the given aggregates of its committee. */
function collectionOf(
  { system, subcommittees, roles }: NetworkWorld,
  committee: number,
  place: number,
  aggregates: readonly AuthoredSet[],
): { readonly bits: MemberSet; readonly members: number } {
  const role = roles.of(place);
  const best = new Int32Array(system.subcommittees).fill(noAggregate);
  const rank = (index: number): number => role.rank(aggregates[index]!.place, aggregates[index]!.set.weight);
  for (const [index, { set }] of aggregates.entries()) keepBest(best, set.group % system.subcommittees, index, rank);
  const { first, start, members } = committeeRange(system, subcommittees, committee);
  const bits = emptySet(members);
  collect(role, best, {
    joinOwn: () => addMember(bits, place - start),
    join: (index, group) => shiftInto(bits, aggregates[index]!.set.bits, subcommittees[first + group]!.start - start),
  });
  return { bits, members };
}

/** Removes times later than the block. Sets that were simulated as one remain one row. */
function untilBlock(rows: readonly Int32Array[], blockUs: number): Int32Array[] {
  const cut = new Map<Int32Array, Int32Array>();
  return rows.map((row) => {
    const known = cut.get(row) ?? row.map((at) => (at > blockUs ? -1 : at));
    cut.set(row, known);
    return known;
  });
}

/** Reports all votes cast to the observer. */
function reportVotes({ subcommittees, castUs, nodeAt }: NetworkWorld, watch: SlotWatch): void {
  for (const { start, members, casts } of subcommittees) {
    for (let member = 0; member < members; member++) {
      if (!hasMember(casts, member)) continue;
      watch.published('subnets', start + member, undefined, castUs[nodeAt[start + member]!]!);
    }
  }
}
