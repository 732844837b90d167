import { RandomStream } from '@tutti/core';
import { addMember, HornTopic, hasMember, sizeOf, topicOfAggregates } from '@tutti/core/horn';
import { expected } from '@tutti/core/input';
import { EventQueue } from '@tutti/simulation/engine';
import { Burdens } from './burdens.ts';
import { maxTimeUs, Priority } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { type LayerLoad, loadsByClass, loadsOfTopics, type SlotBacklog, sumOf, type TopicRun } from './loads.ts';
import { aggregateMessage, ballotsOf, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { alikeOf, type Pattern, patternsOf, removeLateVotes, standIns } from './patterns.ts';
import {
  type AuthoredSet,
  BestSets,
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
  /** Maximum number of simulated subnets. Fewer are simulated if more than two times `nodes` nodes would be involved. */
  readonly subnets: number;
  /** Maximum number of simulated committee topics. */
  readonly committeeTopics: number;
  /**
   * Maximum number of simulated members per topic. All members that aggregate or collect are simulated, even if they are
   * more.
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
interface SampledTopic {
  readonly sample: TopicSample;
  readonly publications: readonly Publication[];
  /** Places of each message's voters; empty if the messages are not votes. */
  readonly which: readonly (readonly number[])[];
  readonly patterns: readonly Pattern[];
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
  #arrivals: readonly SubnetArrivals[] = [];
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
    const sample = this.#sample({
      members,
      wanted: Int32Array.from(post === undefined ? [] : [post.proposer]),
      load: () => 1,
      publications,
      startUs,
      dueUs: blockUs,
      // With the post's assumptions, results after the slot are also reported.
      laterUs: post === undefined ? [] : [maxTimeUs],
      burden: this.#burdens.at(startUs),
      seed: this.#world.scenario.seed,
    });
    this.#record('global', [sample], publications, blockUs);
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

  #sample(plan: Omit<TopicPlan, 'maxMembers' | 'maxMessages' | 'queue'>): TopicSample {
    const { nodes: maxMembers, messages: maxMessages } = this.#sizes;
    return sampleTopic(this.#world, { ...plan, maxMembers, maxMessages, queue: this.#queue });
  }

  #publicationsOf(sets: readonly AuthoredSet[], priority: Priority): Publication[] {
    return sets.map(({ place, set, members }) => ({
      node: this.#world.nodeAt[place]!,
      atUs: set.sentUs,
      message: aggregateMessage(this.#world, members, set.weight, priority),
    }));
  }

  /** Records a layer's delays, events and dropped messages, and reports the layer to the observer. */
  #record(layer: Layer, samples: readonly TopicSample[], publications: readonly Publication[], dueUs: number): void {
    if (this.#watch !== undefined) reportTopics(layer, samples, publications, this.#watch);
    else {
      const delay = delayOf(samples, publications, dueUs);
      if (delay !== undefined) this.#delays[layer] = delay;
    }
    this.#events += samples.reduce((sum, { events }) => sum + events, 0);
    this.#dropped += samples.reduce((sum, { costs }) => sum + costs.dropped, 0);
  }

  /** Records the load that a layer leaves to later layers. */
  #leave(
    layer: Layer,
    dueUs: number,
    laterUs: readonly number[],
    samples: readonly TopicSample[],
    topicsOf: Int32Array,
  ): void {
    if (this.#world.post !== undefined) this.#burdens.leaveWork(dueUs, samples, topicsOf);
    else if (this.#burdens.leave(dueUs, laterUs, samples, topicsOf)) this.#unfinished.push(layer);
  }

  /** Simulates the sampled subnets, and returns the aggregates of all subcommittees. */
  *#aggregates(): Generator<number, AuthoredSet[]> {
    const world = this.#world;
    const { system, subcommittees, nodeAt, subnets, subnetsOf, post } = world;
    const dueUs = 1000 * system.aggregateMs;
    const laterUs =
      post === undefined
        ? [...(system.collectors > 0 ? [1000 * system.collectMs] : []), 1000 * system.blockMs]
        : [maxTimeUs];
    const onOne = Math.min(this.#sizes.nodes, subnets[0]!.length);
    const affordable = Math.max(2, Math.floor((2 * this.#sizes.nodes) / onOne));
    const sampled = pick(subcommittees.length, Math.min(this.#sizes.subnets, affordable), this.#random);
    const samples: SampledTopic[] = [];
    for (const group of sampled) {
      yield (0.3 * samples.length) / sampled.length;
      samples.push(this.#sampleSubnet(group, laterUs));
    }
    const topics = samples.map(({ sample }) => sample);
    this.#leave('subnets', dueUs, laterUs, topics, subnetsOf);
    const all = samples.flatMap(({ publications }) => publications);
    const sent = all.map((one) => ({ ...one, atUs: world.castUs[one.node]! }));
    this.#record('subnets', topics, sent, dueUs);
    this.#arrivals = samples.map(({ sample, publications, which }, index) => ({
      subnet: sampled[index]!,
      members: sample.members,
      votes: publications.map(({ node }, vote) => ({
        places: which[vote]!,
        node,
        castUs: world.castUs[node]!,
        verifiedUs: sample.verifiedUs[vote]!,
      })),
    }));
    this.#loads.subnets = loadsOfTopics(world, runsOf(topics, sampled, subnets), subnets.length, subnetsOf);
    if (this.#watch !== undefined) reportVotes(world, this.#watch);
    return subcommittees.flatMap(({ start, members, aggregators, casts }, group) => {
      const own = sampled.indexOf(group);
      const { patterns } = samples[own === -1 ? this.#random.nextBelow(samples.length) : own]!;
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
  #sampleSubnet(group: number, laterUs: readonly number[]): SampledTopic {
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
    const sample = this.#sample({
      members: subnets[group]!,
      wanted: observers.length === 0 ? duties : Int32Array.from(new Set([...duties, ...observers])),
      load: (node) => subnetsOf[node]!,
      publications,
      ownBytes,
      ownAtUs: (node) => castUs[node]!,
      startUs,
      dueUs: 1000 * system.aggregateMs,
      laterUs,
      burden,
      seed: scenario.seed + group,
    });
    const like = world.post === undefined || duties.length > 0 ? duties : sample.members;
    const of = ballots.map((one) => one.members);
    return {
      sample,
      publications,
      which: of.map((one) => one.map((member) => start + member)),
      patterns: patternsOf(sample, publications, like, classOf, of, members),
    };
  }

  /** Simulates the sampled committees' topics, and returns the collections of all committees. */
  *#collections(aggregates: readonly AuthoredSet[]): Generator<number, AuthoredSet[]> {
    const world = this.#world;
    const { system, collectors, committeeTopics, committeeTopicsOf, nodeAt, roles, post } = world;
    const dueUs = 1000 * system.collectMs;
    const laterUs = [post === undefined ? 1000 * system.blockMs : maxTimeUs];
    const byCommittee = collectors.map((): number[] => []);
    aggregates.forEach(({ set }, index) => {
      byCommittee[Math.floor(set.group / system.subcommittees)]!.push(index);
    });
    const sampled = pick(collectors.length, this.#sizes.committeeTopics, this.#random);
    const samples: SampledTopic[] = [];
    for (const committee of sampled) {
      yield 0.3 + (0.3 * samples.length) / sampled.length;
      const of = byCommittee[committee]!.map((index) => aggregates[index]!);
      samples.push(this.#sampleCommittee(committee, of, laterUs));
    }
    const runs = samples.map(({ sample }) => sample);
    this.#leave('committees', dueUs, laterUs, runs, committeeTopicsOf);
    const all = samples.flatMap(({ publications }) => publications);
    this.#record('committees', runs, all, dueUs);
    const topics = runsOf(runs, sampled, committeeTopics);
    this.#loads.committees = loadsOfTopics(world, topics, committeeTopics.length, committeeTopicsOf);
    const isLate = (index: number): boolean => roles.isLate(aggregates[index]!.place);
    return collectors.flatMap((places, committee) => {
      const own = sampled.indexOf(committee);
      const like = own === -1 ? this.#random.nextBelow(samples.length) : own;
      const of = byCommittee[committee]!;
      const alike = alikeOf(of, byCommittee[sampled[like]!]!, isLate);
      const nodes = places.map((place) => nodeAt[place]!);
      const had = standIns(samples[like]!.patterns, nodes, world.classOf, this.#random);
      return places.flatMap((place, turn): AuthoredSet[] => {
        const collectUs = roles.of(place).clock.collectUs + (post?.lateUs[place] ?? 0);
        const missing = post === undefined ? had[turn]?.missing(collectUs) : undefined;
        const best = new BestSets(world, committee, place);
        of.forEach((index, rank) => {
          const { place: author, set } = aggregates[index]!;
          const delayUs =
            post === undefined || author === place ? 0 : (had[turn]?.delayUs(alike[rank]!) ?? Number.POSITIVE_INFINITY);
          const isThere = set.sentUs < collectUs && set.sentUs + delayUs <= collectUs;
          if (isThere && (missing === undefined || !hasMember(missing, alike[rank]!))) best.take(index, aggregates);
        });
        const { bits, weight, members } = best.join(aggregates);
        if (weight === 0) return [];
        return [{ place, set: { group: committee, sentUs: collectUs, weight, bits }, members }];
      });
    });
  }

  /** Simulates one committee's topic, and returns the results of its collectors' nodes. */
  #sampleCommittee(committee: number, aggregates: readonly AuthoredSet[], laterUs: readonly number[]): SampledTopic {
    const world = this.#world;
    const { system, collectors, committeeTopics, committeeTopicsOf, nodeAt, classOf, scenario, post } = world;
    const startUs = 1000 * system.aggregateMs;
    const publications = this.#publicationsOf(aggregates, Priority.committee);
    const wanted = Int32Array.from(new Set(collectors[committee]!.map((place) => nodeAt[place]!)));
    const sample = this.#sample({
      members: committeeTopics[committee]!,
      wanted,
      load: (node) => committeeTopicsOf[node]!,
      publications,
      startUs,
      dueUs: 1000 * system.collectMs,
      laterUs,
      burden: this.#burdens.at(startUs),
      seed: scenario.seed + 100_000 + committee,
    });
    const which = aggregates.map((_, index) => [index]);
    const like = post === undefined || wanted.length > 0 ? wanted : sample.members;
    const patterns = patternsOf(sample, publications, like, classOf, which, which.length);
    return { sample, publications, which: [], patterns };
  }
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
function delayOf(
  samples: readonly TopicSample[],
  publications: readonly Publication[],
  dueUs: number,
): LayerDelay | undefined {
  const delay = new DelayCollector();
  let first = 0;
  for (const { verifiedUs } of samples) {
    const own = publications.slice(first, first + verifiedUs.length);
    first += verifiedUs.length;
    for (const { row, sentUs, which } of togetherOf(own, verifiedUs)) {
      // The network does not cause the delay of a message that is sent when it is due.
      if (sentUs < dueUs) for (const one of row) if (one !== sentUs) delay.add(sentUs, one, dueUs, which.length);
    }
  }
  return delay.result();
}

/**
 * Returns the runs of sampled topics.
 *
 * @param which index of each sample's topic in `all`.
 */
function runsOf(samples: readonly TopicSample[], which: readonly number[], all: readonly Int32Array[]): TopicRun[] {
  return samples.map(({ costs, nodes, members }, index) => ({
    costs,
    nodes,
    sampled: members,
    members: all[which[index]!]!.length,
  }));
}

/** Draws up to `max` different indices below `count`. */
function pick(count: number, max: number, random: RandomStream): number[] {
  if (count <= max) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set<number>();
  while (chosen.size < max) chosen.add(random.nextBelow(count));
  return [...chosen];
}

/** Reports the times of a layer's simulated messages to the observer. */
function reportTopics(
  layer: Layer,
  samples: readonly TopicSample[],
  publications: readonly Publication[],
  watch: SlotWatch,
): void {
  let next = 0;
  let busy = 0;
  let members = 0;
  let missing = 0;
  for (const { missingPeers, verifiedUs, leftover, members: of } of samples) {
    for (const row of verifiedUs) {
      const { atUs } = publications[next++]!;
      watch.verified(layer, atUs, row);
    }
    busy += leftover.coreUs.reduce((sum, us) => sum + (us > 0 ? 1 : 0), 0);
    members += of.length;
    missing += missingPeers;
  }
  watch.missingPeers(layer, missing / samples.length);
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
