import { expected } from '../../../errors.ts';
import { addMember, emptySet, hasMember, type MemberSet, sizeOf } from '../../../horn/play/memberSet.ts';
import { keepBest, noAggregate } from '../../../horn/rules.ts';
import { RandomStream } from '../../../random.ts';
import { join } from './bestSets.ts';
import { Burdens, type SlotBacklog } from './burdens.ts';
import { Priority } from './gossipRun.ts';
import { gatherByHandel } from './handelGathering.ts';
import { loadsByClass, loadsOfTopics, type PlayedTopic, sumOf } from './loads.ts';
import { aggregateMessage, aggregationUs, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import {
  DelayCollector,
  type Layer,
  type LayerDelay,
  type LayerLoad,
  type PlayedSlot,
  type PublishedSet,
} from './playedSlot.ts';
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

interface Pattern {
  readonly node: number;
  /** Class of the aggregator's or collector's node. */
  readonly of: number;
  /** Places in the subcommittee whose vote it did not have, or shares of the committee's aggregates. */
  readonly missing: MemberSet;
}

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
    const published: { readonly place: number; readonly set: PublishedSet; readonly members: number }[] = [];
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

  #aggregates(): { place: number; set: PublishedSet; members: number }[] {
    const world = this.#world;
    const { system, subcommittees, nodeAt, classOf, up, votesOf, subnets, subnetsOf, scenario } = world;
    const startUs = 1000 * system.attestMs;
    const dueUs = 1000 * system.aggregateMs;
    const laterUs = [...(system.collectors > 0 ? [1000 * system.collectMs] : []), 1000 * system.blockMs];
    const burden = this.#burdens.at(startUs);
    const onOne = Math.min(this.#sizes.nodes, subnets[0]!.length);
    const affordable = Math.max(2, Math.floor((2 * this.#sizes.nodes) / onOne));
    const sampled = pick(subcommittees.length, Math.min(this.#sizes.subnets, affordable), this.#random);
    const patterns: Pattern[][] = [];
    const plays: TopicPlay[] = [];
    const all: Publication[] = [];
    for (const group of sampled) {
      const { start, members, aggregators, casts } = subcommittees[group]!;
      const message = voteMessage(world, members);
      const voters: number[] = [];
      for (let member = 0; member < members; member++) if (hasMember(casts, member)) voters.push(member);
      const size = message.bytes + scenario.gossip.overheadBytes;
      // A node's votes leave by the same link, one after another in no order, ahead of what it passes on.
      const ownBytes = (node: number): number => votesOf[node]! * scenario.gossip.d * size;
      const publications = voters.map((member): Publication => {
        const node = nodeAt[start + member]!;
        const aheadBytes =
          (burden?.up[node] ?? 0) + this.#random.nextUnit() * (ownBytes(node) - scenario.gossip.d * size);
        const aheadUs = aheadBytes / up[node]!;
        const isDropped = aheadUs > 1000 * (scenario.gossip.publishWaitMs ?? Number.POSITIVE_INFINITY);
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
        dueUs,
        laterUs,
        burden,
        most: this.#sizes.nodes,
        mostMessages: this.#sizes.messages,
        seed: scenario.seed + group,
      });
      plays.push(play);
      all.push(...publications.map((one) => ({ ...one, atUs: startUs })));
      patterns.push(
        [...wanted].map((node) => {
          const place = play.members.indexOf(node);
          const missing = emptySet(members);
          voters.forEach((member, publication) => {
            const at = play.verifiedUs[publication]![place]!;
            if (at === -1 || at > dueUs) addMember(missing, member);
          });
          return { node, of: classOf[node]!, missing };
        }),
      );
    }
    if (this.#burdens.leave(dueUs, laterUs, plays, subnetsOf)) this.#late.push('subnets');
    this.#note('subnets', plays, all, dueUs);
    this.#loads.subnets = loadsOfTopics(world, played(plays, sampled, subnets), subnets.length, subnetsOf);
    const published: { place: number; set: PublishedSet; members: number }[] = [];
    subcommittees.forEach(({ start, members, aggregators, casts }, group) => {
      const own = sampled.indexOf(group);
      const of = patterns[own === -1 ? this.#random.nextBelow(patterns.length) : own]!;
      const had = this.#patterns(
        of,
        aggregators.map((place) => nodeAt[place]!),
      );
      aggregators.forEach((place, index) => {
        const bits = casts.slice();
        const pattern = had[index];
        if (pattern !== undefined) {
          for (let word = 0; word < bits.length; word++) bits[word]! &= ~(pattern.missing[word] ?? 0);
          // It has its own without a network.
          if (hasMember(casts, place - start)) addMember(bits, place - start);
        }
        const weight = sizeOf(bits);
        if (weight === 0) return;
        const sentUs = dueUs + aggregationUs(world, weight);
        published.push({ place, set: { group, sentUs, weight, bits }, members });
      });
    });
    return published;
  }

  /**
   * Which of the nodes played stands for each of these nodes: itself, or those of its class in turn, in a random order,
   * or any node if none is of its class.
   */
  #patterns(patterns: readonly Pattern[], nodes: readonly number[]): Pattern[] {
    const { classOf } = this.#world;
    const order = patterns.map((pattern) => ({ pattern, rank: this.#random.nextUint32() }));
    const drawn = order.sort((a, b) => a.rank - b.rank).map(({ pattern }) => pattern);
    const next = new Map<number, number>();
    return nodes.map((node) => {
      const itself = patterns.find((pattern) => pattern.node === node);
      if (itself !== undefined) return itself;
      const alike = drawn.filter(({ of }) => of === classOf[node]);
      const from = alike.length > 0 ? alike : drawn;
      const turn = next.get(classOf[node]!) ?? 0;
      next.set(classOf[node]!, turn + 1);
      return from[turn % from.length]!;
    });
  }

  #collections(
    aggregates: readonly { readonly place: number; readonly set: PublishedSet; readonly members: number }[],
  ): { place: number; set: PublishedSet; members: number }[] {
    const world = this.#world;
    const { system, subcommittees, collectors, committeeTopics, committeeTopicsOf, nodeAt, classOf, scenario } = world;
    const startUs = 1000 * system.aggregateMs;
    const dueUs = 1000 * system.collectMs;
    const laterUs = [1000 * system.blockMs];
    const burden = this.#burdens.at(startUs);
    const byCommittee = collectors.map((): number[] => []);
    aggregates.forEach(({ set }, index) => {
      byCommittee[Math.floor(set.group / system.subcommittees)]!.push(index);
    });
    const sampled = pick(collectors.length, this.#sizes.committeeTopics, this.#random);
    const plays: TopicPlay[] = [];
    const all: Publication[] = [];
    const patterns: Pattern[][] = [];
    const counts: number[] = [];
    for (const committee of sampled) {
      const of = byCommittee[committee]!;
      const publications = of.map((index): Publication => {
        const { place, set, members } = aggregates[index]!;
        const message = aggregateMessage(world, members, set.weight, Priority.committee);
        return { node: nodeAt[place]!, atUs: set.sentUs, message };
      });
      const wanted = Int32Array.from(new Set(collectors[committee]!.map((place) => nodeAt[place]!)));
      const play = playTopic(world, {
        members: committeeTopics[committee]!,
        wanted,
        load: (node) => committeeTopicsOf[node]!,
        publications,
        startUs,
        dueUs,
        laterUs,
        burden,
        most: this.#sizes.nodes,
        mostMessages: this.#sizes.messages,
        seed: scenario.seed + 100_000 + committee,
      });
      plays.push(play);
      all.push(...publications);
      counts.push(of.length);
      patterns.push(
        [...wanted].map((node) => {
          const place = play.members.indexOf(node);
          const missing = emptySet(of.length);
          of.forEach((_, publication) => {
            const at = play.verifiedUs[publication]![place]!;
            if (at === -1 || at > dueUs) addMember(missing, publication);
          });
          return { node, of: classOf[node]!, missing };
        }),
      );
    }
    if (this.#burdens.leave(dueUs, laterUs, plays, committeeTopicsOf)) this.#late.push('committees');
    this.#note('committees', plays, all, dueUs);
    const topics = played(plays, sampled, committeeTopics);
    this.#loads.committees = loadsOfTopics(world, topics, committeeTopics.length, committeeTopicsOf);
    const sets = aggregates.map(({ set }) => set);
    const published: { place: number; set: PublishedSet; members: number }[] = [];
    collectors.forEach((places, committee) => {
      const own = sampled.indexOf(committee);
      const like = own === -1 ? this.#random.nextBelow(patterns.length) : own;
      const of = byCommittee[committee]!;
      const first = committee * system.subcommittees;
      const had = this.#patterns(
        patterns[like]!,
        places.map((place) => nodeAt[place]!),
      );
      places.forEach((place, turn) => {
        const pattern = had[turn];
        const best = new Int32Array(system.subcommittees).fill(noAggregate);
        of.forEach((index, rank) => {
          const alike = Math.floor((rank * counts[like]!) / of.length);
          if (pattern !== undefined && hasMember(pattern.missing, alike)) return;
          keepBest(best, sets[index]!.group - first, index, (one) => sets[one]!.weight);
        });
        const { bits, weight, members } = join(subcommittees, first, best, sets);
        if (weight > 0) published.push({ place, set: { group: committee, sentUs: dueUs, weight, bits }, members });
      });
    });
    return published;
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
