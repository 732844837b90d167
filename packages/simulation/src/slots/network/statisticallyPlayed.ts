import { RandomStream } from '@tutti/core';
import { expected } from '@tutti/core/internal';
import { addMember, hasMember, sizeOf } from '@tutti/core/internal/horn';
import { type AuthoredSet, BestSets } from './bestSets.ts';
import { Burdens, type SlotBacklog } from './burdens.ts';
import { Priority } from './gossipState.ts';
import { gatherByHandel } from './handelGathering.ts';
import { loadsByClass, loadsOfTopics, type PlayedTopic, sumOf } from './loads.ts';
import { aggregateMessage, aggregationUs, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { alikeOf, type Pattern, patternsOf, standIns } from './patterns.ts';
import { DelayCollector, type Layer, type LayerDelay, type LayerLoad, type PlayedSlot } from './playedSlot.ts';
import { type Publication, playTopic, type TopicPlay } from './topicPlay.ts';

/** How much of a slot is played, the rest being taken to be like it. */
export interface SampleSizes {
  /** Subnets that are played, fewer where they are large, and committees' topics. */
  readonly subnets: number;
  readonly committeeTopics: number;
  /** Nodes of a topic, at most. */
  readonly nodes: number;
  /** Messages of a topic, at most; of more, several are taken for one. */
  readonly messages: number;
}

export const defaultSampleSizes: SampleSizes = { subnets: 6, committeeTopics: 2, nodes: 192, messages: 2048 };

/**
 * A slot of which a sample is played message by message, topic by topic: some whole subnets, some committees' topics,
 * and the global topic on some of its nodes. Subnets and committees that are not played take over the results of those
 * that were, member for member of the same kind of node.
 *
 * @param before what the slot before has left to links and cores.
 * @throws RangeError if clients ignore what is covered: in a sample, sources are not as dense as in the whole.
 */
export function playStatistically(
  world: NetworkWorld,
  sizes: SampleSizes = defaultSampleSizes,
  before?: SlotBacklog,
): PlayedSlot {
  if (world.scenario.client.ignoresCovered === true) {
    throw new RangeError(expected('ignoresCovered', 'false unless every message is played', true));
  }
  return new StatisticalPlay(world, sizes, before).play();
}

/** A topic that was played, and how the nodes fared that aggregate or collect what is on it. */
interface SampledTopic {
  readonly play: TopicPlay;
  readonly publications: readonly Publication[];
  readonly patterns: readonly Pattern[];
}

class StatisticalPlay {
  readonly #world: NetworkWorld;
  readonly #sizes: SampleSizes;
  readonly #random: RandomStream;
  readonly #delays: Partial<Record<Layer, LayerDelay>> = {};
  readonly #loads: Partial<Record<Layer, readonly LayerLoad[]>> = {};
  /** What came before leaves to every node's links and cores. */
  readonly #burdens: Burdens;
  readonly #late: Layer[] = [];
  #events = 0;
  #dropped = 0;

  constructor(world: NetworkWorld, sizes: SampleSizes, before: SlotBacklog | undefined) {
    this.#world = world;
    this.#sizes = sizes;
    this.#burdens = new Burdens(world, before);
    this.#random = new RandomStream(world.scenario.seed, 'sampled slot');
  }

  play(): PlayedSlot {
    const { system, nodeAt } = this.#world;
    const published: AuthoredSet[] = [];
    if (system.gathering === 'handel') {
      const gathered = gatherByHandel(this.#world);
      published.push(...gathered.published);
      this.#loads.subnets = gathered.loads;
      this.#delays.subnets = gathered.delay;
    } else {
      const aggregates = this.#aggregates();
      published.push(...(system.collectors > 0 ? this.#collections(aggregates) : aggregates));
    }
    const publications = published.map(
      ({ place, set, members }): Publication => ({
        node: nodeAt[place]!,
        atUs: set.sentUs,
        message: aggregateMessage(this.#world, members, set.weight, Priority.global),
      }),
    );
    const members = Int32Array.from({ length: this.#world.scenario.nodes }, (_, node) => node);
    const blockUs = 1000 * system.blockMs;
    const startUs = 1000 * (system.collectors > 0 ? system.collectMs : system.aggregateMs);
    const play = playTopic(this.#world, {
      members,
      wanted: new Int32Array(0),
      load: () => 1,
      publications,
      startUs,
      dueUs: blockUs,
      laterUs: [],
      burden: this.#burdens.at(startUs),
      most: this.#sizes.nodes,
      mostMessages: this.#sizes.messages,
      seed: this.#world.scenario.seed,
    });
    this.#note('global', [play], publications, blockUs);
    this.#loads.global = loadsByClass(this.#world, play.run, play.members);
    return {
      sets: published.map(({ set }) => set),
      observers: play.members,
      verifiedUs: play.verifiedUs.map((row) => row.map((at) => (at > blockUs ? -1 : at))),
      delays: this.#delays,
      loads: this.#world.scenario.links.map((_, index) => sumOf(Object.values(this.#loads).map((of) => of[index]!))),
      layerLoads: this.#loads,
      unfinished: this.#late,
      dropped: this.#dropped,
      backlog: this.#burdens.backlogOf(play),
      events: this.#events,
    };
  }

  #note(layer: Layer, plays: readonly TopicPlay[], publications: readonly Publication[], dueUs: number): void {
    const delay = new DelayCollector();
    let at = 0;
    for (const { verifiedUs } of plays) {
      for (const row of verifiedUs) {
        const { atUs } = publications[at++]!;
        for (const one of row) if (one !== atUs) delay.add(atUs, one, dueUs);
      }
    }
    const result = delay.result();
    if (result !== undefined) this.#delays[layer] = result;
    this.#events += plays.reduce((sum, { events }) => sum + events, 0);
    this.#dropped += plays.reduce((sum, { run }) => sum + run.dropped, 0);
  }

  #aggregates(): AuthoredSet[] {
    const world = this.#world;
    const { system, subcommittees, nodeAt, subnets, subnetsOf } = world;
    const dueUs = 1000 * system.aggregateMs;
    const laterUs = [...(system.collectors > 0 ? [1000 * system.collectMs] : []), 1000 * system.blockMs];
    const onOne = Math.min(this.#sizes.nodes, subnets[0]!.length);
    const affordable = Math.max(2, Math.floor((2 * this.#sizes.nodes) / onOne));
    const sampled = pick(subcommittees.length, Math.min(this.#sizes.subnets, affordable), this.#random);
    const subnetPlays = sampled.map((group) => this.#playSubnet(group, laterUs));
    const plays = subnetPlays.map(({ play }) => play);
    if (this.#burdens.leave(dueUs, laterUs, plays, subnetsOf)) this.#late.push('subnets');
    const all = subnetPlays.flatMap(({ publications }) => publications);
    const sent = all.map((one) => ({ ...one, atUs: 1000 * system.attestMs }));
    this.#note('subnets', plays, sent, dueUs);
    this.#loads.subnets = loadsOfTopics(world, played(plays, sampled, subnets), subnets.length, subnetsOf);
    return subcommittees.flatMap(({ start, members, aggregators, casts }, group) => {
      const own = sampled.indexOf(group);
      const { patterns } = subnetPlays[own === -1 ? this.#random.nextBelow(subnetPlays.length) : own]!;
      const nodes = aggregators.map((place) => nodeAt[place]!);
      const had = standIns(patterns, nodes, world.classOf, this.#random);
      return aggregators.flatMap((place, index): AuthoredSet[] => {
        const role = world.roles.of(place);
        const { aggregateUs } = role.clock;
        const verified = casts.slice();
        const missing = had[index]?.missing(aggregateUs);
        if (missing !== undefined) {
          for (let word = 0; word < verified.length; word++) verified[word]! &= ~(missing[word] ?? 0);
          // It has its own without a network.
          if (hasMember(casts, place - start)) addMember(verified, place - start);
        }
        const bits = role.aggregate(verified);
        const weight = sizeOf(bits);
        if (weight === 0) return [];
        const sentUs = aggregateUs + aggregationUs(world, weight);
        return [{ place, set: { group, sentUs, weight, bits }, members }];
      });
    });
  }

  /** One subnet, and how each of its aggregators' nodes fared. */
  #playSubnet(group: number, laterUs: readonly number[]): SampledTopic {
    const world = this.#world;
    const { system, subcommittees, nodeAt, classOf, up, votesOf, subnets, subnetsOf, scenario } = world;
    const { d, overheadBytes, publishWaitMs } = scenario.gossip;
    const startUs = 1000 * system.attestMs;
    const burden = this.#burdens.at(startUs);
    const { start, members, aggregators, casts } = subcommittees[group]!;
    const message = voteMessage(world, members);
    const voters: number[] = [];
    for (let member = 0; member < members; member++) if (hasMember(casts, member)) voters.push(member);
    const size = message.bytes + overheadBytes;
    // A node's votes leave by the same link, one after another in no order, ahead of what it passes on.
    const ownBytes = (node: number): number => votesOf[node]! * d * size;
    const publications = voters.map((member): Publication => {
      const node = nodeAt[start + member]!;
      const aheadBytes = (burden?.up[node] ?? 0) + this.#random.nextUnit() * (ownBytes(node) - d * size);
      const aheadUs = aheadBytes / up[node]!;
      const isDropped = aheadUs > 1000 * (publishWaitMs ?? Number.POSITIVE_INFINITY);
      return { node, atUs: Math.round(startUs + aheadUs), message, isOwed: true, isDropped };
    });
    const wanted = Int32Array.from(new Set(aggregators.map((place) => nodeAt[place]!)));
    const play = playTopic(world, {
      members: subnets[group]!,
      wanted,
      load: (node) => subnetsOf[node]!,
      publications,
      ownBytes,
      startUs,
      dueUs: 1000 * system.aggregateMs,
      laterUs,
      burden,
      most: this.#sizes.nodes,
      mostMessages: this.#sizes.messages,
      seed: scenario.seed + group,
    });
    return { play, publications, patterns: patternsOf(play, wanted, classOf, voters, members) };
  }

  #collections(aggregates: readonly AuthoredSet[]): AuthoredSet[] {
    const world = this.#world;
    const { system, collectors, committeeTopics, committeeTopicsOf, nodeAt, roles } = world;
    const dueUs = 1000 * system.collectMs;
    const laterUs = [1000 * system.blockMs];
    const byCommittee = collectors.map((): number[] => []);
    aggregates.forEach(({ set }, index) => {
      byCommittee[Math.floor(set.group / system.subcommittees)]!.push(index);
    });
    const sampled = pick(collectors.length, this.#sizes.committeeTopics, this.#random);
    const topicPlays = sampled.map((committee) => {
      const of = byCommittee[committee]!.map((index) => aggregates[index]!);
      return this.#playCommittee(committee, of, laterUs);
    });
    const plays = topicPlays.map(({ play }) => play);
    if (this.#burdens.leave(dueUs, laterUs, plays, committeeTopicsOf)) this.#late.push('committees');
    const all = topicPlays.flatMap(({ publications }) => publications);
    this.#note('committees', plays, all, dueUs);
    const topics = played(plays, sampled, committeeTopics);
    this.#loads.committees = loadsOfTopics(world, topics, committeeTopics.length, committeeTopicsOf);
    const isLate = (index: number): boolean => roles.isLate(aggregates[index]!.place);
    return collectors.flatMap((places, committee) => {
      const own = sampled.indexOf(committee);
      const like = own === -1 ? this.#random.nextBelow(topicPlays.length) : own;
      const of = byCommittee[committee]!;
      const alike = alikeOf(of, byCommittee[sampled[like]!]!, isLate);
      const nodes = places.map((place) => nodeAt[place]!);
      const had = standIns(topicPlays[like]!.patterns, nodes, world.classOf, this.#random);
      return places.flatMap((place, turn): AuthoredSet[] => {
        const { collectUs } = roles.of(place).clock;
        const missing = had[turn]?.missing(collectUs);
        const best = new BestSets(world, committee, place);
        of.forEach((index, rank) => {
          const isSent = aggregates[index]!.set.sentUs < collectUs;
          if (isSent && (missing === undefined || !hasMember(missing, alike[rank]!))) best.take(index, aggregates);
        });
        const { bits, weight, members } = best.join(aggregates);
        if (weight === 0) return [];
        return [{ place, set: { group: committee, sentUs: collectUs, weight, bits }, members }];
      });
    });
  }

  /** One committee's topic, and how each of its collectors' nodes fared. */
  #playCommittee(committee: number, aggregates: readonly AuthoredSet[], laterUs: readonly number[]): SampledTopic {
    const world = this.#world;
    const { system, collectors, committeeTopics, committeeTopicsOf, nodeAt, classOf, scenario } = world;
    const startUs = 1000 * system.aggregateMs;
    const publications = aggregates.map(
      ({ place, set, members }): Publication => ({
        node: nodeAt[place]!,
        atUs: set.sentUs,
        message: aggregateMessage(world, members, set.weight, Priority.committee),
      }),
    );
    const wanted = Int32Array.from(new Set(collectors[committee]!.map((place) => nodeAt[place]!)));
    const play = playTopic(world, {
      members: committeeTopics[committee]!,
      wanted,
      load: (node) => committeeTopicsOf[node]!,
      publications,
      startUs,
      dueUs: 1000 * system.collectMs,
      laterUs,
      burden: this.#burdens.at(startUs),
      most: this.#sizes.nodes,
      mostMessages: this.#sizes.messages,
      seed: scenario.seed + 100_000 + committee,
    });
    const which = aggregates.map((_, index) => index);
    return { play, publications, patterns: patternsOf(play, wanted, classOf, which, which.length) };
  }
}

function played(plays: readonly TopicPlay[], which: readonly number[], all: readonly Int32Array[]): PlayedTopic[] {
  return plays.map(({ run, members }, index) => ({ run, played: members, members: all[which[index]!]!.length }));
}

function pick(count: number, most: number, random: RandomStream): number[] {
  if (count <= most) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set<number>();
  while (chosen.size < most) chosen.add(random.nextBelow(count));
  return [...chosen];
}
