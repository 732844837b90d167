import { RandomStream } from '@tutti/core';
import {
  addMember,
  collect,
  emptySet,
  HornTopic,
  hasMember,
  keepBest,
  type MemberSet,
  noAggregate,
  shiftInto,
  sizeOf,
  topicOfAggregates,
} from '@tutti/core/horn';
import { expected } from '@tutti/core/input';
import { EventQueue } from '@tutti/simulation/engine';
import { Burdens } from './burdens.ts';
import { maxTimeUs, Priority } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { type LayerLoad, loadsByClass, loadsOfTopics, type SlotBacklog, sumOf, type TopicRun } from './loads.ts';
import { aggregateMessage, ballotsOf, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { alikeOf, type Pattern, patternsOf, removeLateVotes, standIns } from './patterns.ts';
import { committeeRange } from './roles.ts';
import {
  type AuthoredSet,
  DelayCollector,
  type Layer,
  type LayerDelay,
  type SlotRun,
  type SlotWatch,
  type SubnetArrivals,
} from './slotRun.ts';
import { type Publication, sampleTopic, type TopicPlan, type TopicSample, togetherOf } from './topicSample.ts';

/** Sizes of the simulated sample of a slot. The rest of the slot is assumed to behave like the sample. */
export interface SampleSizes {
  /** Maximum number of simulated subnets. Fewer are simulated if more than twice `nodes` nodes would be involved. */
  readonly subnets: number;
  /** Maximum number of simulated committee topics. */
  readonly committeeTopics: number;
  /**
   * Maximum number of simulated members per topic. All members that aggregate or collect are simulated, even if their
   * number exceeds this maximum.
   */
  readonly nodes: number;
  /**
   * Maximum number of simulated messages per topic. If there are more messages, several messages are simulated as one.
   */
  readonly messages: number;
}

/** Default sample sizes. */
export const defaultSampleSizes: SampleSizes = { subnets: 6, committeeTopics: 2, nodes: 192, messages: 2048 };

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

/** A simulated topic with its messages and their sending times. */
interface SentSample {
  readonly sample: TopicSample;
  readonly publications: readonly Publication[];
}

class SampledRun {
  readonly #world: NetworkWorld;
  readonly #sizes: SampleSizes;
  readonly #random: RandomStream;
  readonly #delays: Partial<Record<Layer, LayerDelay>> = {};
  readonly #loads: Partial<Record<Layer, readonly LayerLoad[]>> = {};
  /** Load that earlier layers leave on every node's links and cores. */
  readonly #burdens: Burdens;
  /** Event queue of the topics' runs. */
  readonly #queue = new EventQueue();
  readonly #unfinished: Layer[] = [];
  readonly #watch: SlotWatch | undefined;
  readonly #arrivals: SubnetArrivals[] = [];
  #events = 0;
  #dropped = 0;

  constructor(world: NetworkWorld, sizes: SampleSizes, before: SlotBacklog | undefined, watch: SlotWatch | undefined) {
    this.#world = world;
    this.#watch = watch;
    this.#sizes = sizes;
    this.#burdens = new Burdens(world, before);
    this.#random = new RandomStream(world.scenario.seed, 'sampled slot');
  }

  *run(): Generator<number, SlotRun> {
    const { system, post } = this.#world;
    const published: AuthoredSet[] = [];
    if (system.gathering === 'handel') {
      const gathered = gatherByHandel(this.#world);
      published.push(...gathered.published);
      this.#loads.subnets = gathered.loads;
      this.#delays.subnets = gathered.delay;
    } else {
      const aggregates = yield* this.#aggregates();
      if (topicOfAggregates(system.collectors > 0) === HornTopic.committee) {
        for (const { place, set } of aggregates) this.#watch?.published('committees', place, set, set.sentUs);
        published.push(...(yield* this.#collections(aggregates)));
      } else published.push(...aggregates);
    }
    const publications = this.#publicationsOf(published, Priority.global);
    for (const { place, set } of published) this.#watch?.published('global', place, set, set.sentUs);
    yield 0.6;
    const members = post?.present ?? Int32Array.from({ length: this.#world.scenario.nodes }, (_, node) => node);
    const blockUs = 1000 * system.blockMs;
    const startUs = 1000 * (system.collectors > 0 ? system.collectMs : system.aggregateMs);
    const sample = this.#sample('global', {
      members,
      wanted: Int32Array.from(post === undefined ? [] : [post.proposer]),
      load: () => 1,
      publications,
      startUs,
      burden: this.#burdens.at(startUs),
      seed: this.#world.scenario.seed,
    });
    this.#record('global', [{ sample, publications }]);
    if (post === undefined && this.#burdens.isUnfinished(sample)) this.#unfinished.push('global');
    const isMember = new Set(sample.members);
    this.#loads.global = loadsByClass(this.#world, sample.costs, sample.nodes, (node) => isMember.has(node));
    return {
      sets: published.map(({ set }) => set),
      observers: sample.members,
      verifiedUs: post === undefined ? untilBlock(sample.verifiedUs, blockUs) : sample.verifiedUs,
      delays: this.#delays,
      arrivals: this.#arrivals,
      loads: this.#world.scenario.links.map((_, index) => sumOf(Object.values(this.#loads).map((of) => of[index]!))),
      layerLoads: this.#loads,
      unfinished: this.#unfinished,
      dropped: this.#dropped,
      copies: 0,
      backlog: post === undefined ? this.#burdens.backlogOf(sample) : undefined,
      events: this.#events,
    };
  }

  #sample(
    layer: Layer,
    plan: Omit<TopicPlan, 'dueUs' | 'laterUs' | 'maxMembers' | 'maxMessages' | 'queue'>,
  ): TopicSample {
    const { nodes: maxMembers, messages: maxMessages } = this.#sizes;
    const times = { dueUs: this.#dueUs(layer), laterUs: this.#laterUs(layer) };
    return sampleTopic(this.#world, { ...plan, ...times, maxMembers, maxMessages, queue: this.#queue });
  }

  #dueUs(layer: Layer): number {
    const { aggregateMs, collectMs, blockMs } = this.#world.system;
    return 1000 * { subnets: aggregateMs, committees: collectMs, global: blockMs }[layer];
  }

  /** Returns the end times of the layers that follow a layer. Under the post's assumptions, all later events count. */
  #laterUs(layer: Layer): number[] {
    const { system, post } = this.#world;
    if (post !== undefined) return [maxTimeUs];
    if (layer === 'global') return [];
    const later: Layer[] = layer === 'subnets' && system.collectors > 0 ? ['committees', 'global'] : ['global'];
    return later.map((one) => this.#dueUs(one));
  }

  #publicationsOf(sets: readonly AuthoredSet[], priority: Priority): Publication[] {
    return sets.map(({ place, set, members }) => ({
      node: this.#world.nodeAt[place]!,
      atUs: set.sentUs,
      message: aggregateMessage(this.#world, members, set.weight, priority),
    }));
  }

  /** Records a layer's delays, events and dropped messages, and reports the layer to the observer. */
  #record(layer: Layer, topics: readonly SentSample[]): void {
    if (this.#watch !== undefined) reportTopics(layer, topics, this.#watch);
    else {
      const delay = delayOf(topics, this.#dueUs(layer));
      if (delay !== undefined) this.#delays[layer] = delay;
    }
    this.#events += topics.reduce((sum, { sample }) => sum + sample.events, 0);
    this.#dropped += topics.reduce((sum, { sample }) => sum + sample.costs.dropped, 0);
  }

  /** Simulates up to `max` topics of a layer, records their results, and returns the topics by index. */
  *#sampleLayer(
    layer: 'subnets' | 'committees',
    max: number,
    simulate: (topic: number) => SampledTopic,
  ): Generator<number, ReadonlyMap<number, SampledTopic>> {
    const world = this.#world;
    const isFirst = layer === 'subnets';
    const [topics, topicsOf] = isFirst
      ? [world.subnets, world.subnetsOf]
      : [world.committeeTopics, world.committeeTopicsOf];
    const chosen = pick(topics.length, max, this.#random);
    const sampled = new Map<number, SampledTopic>();
    for (const topic of chosen) {
      yield (isFirst ? 0 : 0.3) + (0.3 * sampled.size) / chosen.length;
      sampled.set(topic, simulate(topic));
    }
    const samples = Array.from(sampled.values(), ({ sample }) => sample);
    const dueUs = this.#dueUs(layer);
    if (world.post !== undefined) this.#burdens.leaveWork(dueUs, samples, topicsOf);
    else if (this.#burdens.leave(dueUs, this.#laterUs(layer), samples, topicsOf)) this.#unfinished.push(layer);
    this.#record(layer, [...sampled.values()]);
    const runs = Array.from(sampled, ([topic, { sample }]): TopicRun => {
      const { costs, nodes, members } = sample;
      return { costs, nodes, sampled: members, members: topics[topic]!.length };
    });
    this.#loads[layer] = loadsOfTopics(world, runs, topics.length, topicsOf);
    return sampled;
  }

  /** Returns the index of the simulated topic that represents a topic: the topic itself, or a random one. */
  #representative(sampled: ReadonlyMap<number, SampledTopic>, topic: number): number {
    return sampled.has(topic) ? topic : [...sampled.keys()][this.#random.nextBelow(sampled.size)]!;
  }

  /** Simulates the sampled subnets, and returns the aggregates of all subcommittees. */
  *#aggregates(): Generator<number, AuthoredSet[]> {
    const world = this.#world;
    const { subcommittees, nodeAt, subnets, post } = world;
    const onOne = Math.min(this.#sizes.nodes, subnets[0]!.length);
    const affordable = Math.max(2, Math.floor((2 * this.#sizes.nodes) / onOne));
    const max = Math.min(this.#sizes.subnets, affordable);
    const sampled = yield* this.#sampleLayer('subnets', max, (group) => this.#sampleSubnet(group));
    if (this.#watch !== undefined) reportVotes(world, this.#watch);
    return subcommittees.flatMap(({ start, members, aggregators, casts }, group) => {
      const { patterns } = sampled.get(this.#representative(sampled, group))!;
      const nodes = aggregators.map((place) => nodeAt[place]!);
      const had = standIns(patterns, nodes, world.classOf, this.#random);
      return aggregators.flatMap((place, index): AuthoredSet[] => {
        const role = world.roles.of(place);
        const aggregateUs = role.clock.aggregateUs + (post?.lateUs[place] ?? 0);
        const verified = casts.slice();
        if (post !== undefined) removeLateVotes(world, verified, group, place, had[index], aggregateUs, this.#watch);
        else {
          const missing = had[index]?.missing(aggregateUs);
          for (let word = 0; word < verified.length; word++) verified[word]! &= ~(missing?.[word] ?? 0);
          // The aggregator has its own vote without network delay.
          if (hasMember(casts, place - start)) addMember(verified, place - start);
        }
        const bits = role.aggregate(verified);
        const weight = sizeOf(bits);
        if (weight === 0) return [];
        return [{ place, set: { group, sentUs: aggregateUs, weight, bits }, members }];
      });
    });
  }

  /** Simulates one subnet, and returns the results of its aggregators' nodes. */
  #sampleSubnet(group: number): SampledTopic {
    const world = this.#world;
    const { system, subcommittees, nodeAt, classOf, up, votesOf, castUs, subnets, observers, subnetsOf, scenario } =
      world;
    const { d, overheadBytes, publishWaitMs } = scenario.gossip;
    const { start, members, aggregators } = subcommittees[group]!;
    const ballots = ballotsOf(world, group);
    const startUs = Math.min(1000 * system.attestMs, ...ballots.map(({ node }) => castUs[node]!));
    const burden = this.#burdens.at(startUs);
    // A node's votes leave over the same link, one after another in random order, ahead of forwarded messages.
    const bytesHere = new Map<number, { bytes: number; votes: number }>();
    for (const { node, members: of, message } of ballots) {
      const before = bytesHere.get(node) ?? { bytes: 0, votes: 0 };
      bytesHere.set(node, { bytes: before.bytes + message.bytes + overheadBytes, votes: before.votes + of.length });
    }
    const size = voteMessage(world, members).bytes + overheadBytes;
    const ownBytes = (node: number): number => {
      const here = bytesHere.get(node);
      return votesOf[node]! * d * (here === undefined ? size : here.bytes / here.votes);
    };
    const publications = ballots.map(({ node, message }): Publication => {
      const own = d * (message.bytes + overheadBytes);
      const aheadBytes = (burden?.up[node] ?? 0) + this.#random.nextUnit() * Math.max(0, ownBytes(node) - own);
      const aheadUs = aheadBytes / up[classOf[node]!]!;
      const isDropped = aheadUs > 1000 * (publishWaitMs ?? Number.POSITIVE_INFINITY);
      return { node, atUs: Math.round(castUs[node]! + aheadUs), message, isOwed: true, isDropped };
    });
    const duties = Int32Array.from(new Set(aggregators.map((place) => nodeAt[place]!)));
    const sample = this.#sample('subnets', {
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
    const like = world.post === undefined || duties.length > 0 ? duties : sample.members;
    const which = ballots.map((one) => one.members);
    return {
      sample,
      publications: publications.map((one) => ({ ...one, atUs: castUs[one.node]! })),
      patterns: patternsOf(sample, publications, like, classOf, which, members),
    };
  }

  /** Simulates the sampled committees' topics, and returns the collections of all committees. */
  *#collections(aggregates: readonly AuthoredSet[]): Generator<number, AuthoredSet[]> {
    const world = this.#world;
    const { system, collectors, nodeAt, roles, post } = world;
    const byCommittee = collectors.map((): number[] => []);
    aggregates.forEach(({ set }, index) => {
      byCommittee[Math.floor(set.group / system.subcommittees)]!.push(index);
    });
    const sampled = yield* this.#sampleLayer('committees', this.#sizes.committeeTopics, (committee) =>
      this.#sampleCommittee(
        committee,
        byCommittee[committee]!.map((index) => aggregates[index]!),
      ),
    );
    const isLate = (index: number): boolean => roles.isLate(aggregates[index]!.place);
    return collectors.flatMap((places, committee) => {
      const like = this.#representative(sampled, committee);
      const of = byCommittee[committee]!;
      const alike = alikeOf(of, byCommittee[like]!, isLate);
      const nodes = places.map((place) => nodeAt[place]!);
      const had = standIns(sampled.get(like)!.patterns, nodes, world.classOf, this.#random);
      return places.flatMap((place, turn): AuthoredSet[] => {
        const collectUs = roles.of(place).clock.collectUs + (post?.lateUs[place] ?? 0);
        const missing = post === undefined ? had[turn]?.missing(collectUs) : undefined;
        const verified = of.filter((index, rank) => {
          const { place: author, set } = aggregates[index]!;
          const delayUs =
            post === undefined || author === place ? 0 : (had[turn]?.delayUs(alike[rank]!) ?? Number.POSITIVE_INFINITY);
          const isThere = set.sentUs < collectUs && set.sentUs + delayUs <= collectUs;
          return isThere && (missing === undefined || !hasMember(missing, alike[rank]!));
        });
        const { bits, members } = collectionOf(
          world,
          committee,
          place,
          verified.map((index) => aggregates[index]!),
        );
        const weight = sizeOf(bits);
        if (weight === 0) return [];
        return [{ place, set: { group: committee, sentUs: collectUs, weight, bits }, members }];
      });
    });
  }

  /** Simulates one committee's topic, and returns the results of its collectors' nodes. */
  #sampleCommittee(committee: number, aggregates: readonly AuthoredSet[]): SampledTopic {
    const world = this.#world;
    const { system, collectors, committeeTopics, committeeTopicsOf, nodeAt, classOf, scenario, post } = world;
    const startUs = 1000 * system.aggregateMs;
    const publications = this.#publicationsOf(aggregates, Priority.committee);
    const wanted = Int32Array.from(new Set(collectors[committee]!.map((place) => nodeAt[place]!)));
    const sample = this.#sample('committees', {
      members: committeeTopics[committee]!,
      wanted,
      load: (node) => committeeTopicsOf[node]!,
      publications,
      startUs,
      burden: this.#burdens.at(startUs),
      seed: scenario.seed + 100_000 + committee,
    });
    const which = aggregates.map((_, index) => [index]);
    const like = post === undefined || wanted.length > 0 ? wanted : sample.members;
    return { sample, publications, patterns: patternsOf(sample, publications, like, classOf, which, which.length) };
  }
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

/** Returns the delays of the messages that are sent before they are due. */
function delayOf(topics: readonly SentSample[], dueUs: number): LayerDelay | undefined {
  const delay = new DelayCollector();
  for (const { sample, publications } of topics) {
    for (const { row, sentUs, which } of togetherOf(publications, sample.verifiedUs)) {
      // The network does not cause the delay of a message that is sent when it is due.
      if (sentUs < dueUs) for (const one of row) if (one !== sentUs) delay.add(sentUs, one, dueUs, which.length);
    }
  }
  return delay.result();
}

/** Draws up to `max` different indices below `count`. */
function pick(count: number, max: number, random: RandomStream): number[] {
  if (count <= max) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set<number>();
  while (chosen.size < max) chosen.add(random.nextBelow(count));
  return [...chosen];
}

/** Reports the times of a layer's simulated messages to the observer. */
function reportTopics(layer: Layer, topics: readonly SentSample[], watch: SlotWatch): void {
  let busy = 0;
  let members = 0;
  let missing = 0;
  for (const { sample, publications } of topics) {
    for (const [index, row] of sample.verifiedUs.entries()) watch.verified(layer, publications[index]!.atUs, row);
    busy += sample.leftover.coreUs.reduce((sum, us) => sum + (us > 0 ? 1 : 0), 0);
    members += sample.members.length;
    missing += sample.missingPeers;
  }
  watch.missingPeers(layer, missing / topics.length);
  if (2 * busy > members) watch.overloaded(layer);
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
