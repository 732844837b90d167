import type { RandomStream } from '@tutti/core';
import { drawnIndices } from '@tutti/core/horn';
import { EventQueue } from '@tutti/simulation/engine';
import { Burdens } from './burdens.ts';
import { maxTimeUs } from './gossipState.ts';
import {
  type Burden,
  type LayerLoad,
  loadsByClass,
  loadsOfTopics,
  type SlotBacklog,
  sumOf,
  type TopicRun,
} from './loads.ts';
import type { NetworkWorld } from './networkWorld.ts';
import {
  DelayCollector,
  dueTimesUs,
  type Layer,
  type LayerDelay,
  layersOf,
  type SlotRun,
  type SlotWatch,
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

/** Part of a slot's progress in each layer before the global one. */
const layerPart = 0.3;

/** Progress of a slot when the simulation of each layer begins, 0 to 1. */
export const progressAt = { subnets: 0, committees: layerPart, global: 2 * layerPart } as const;

/** A simulated topic with its messages and their sending times. */
export interface SentSample {
  readonly sample: TopicSample;
  readonly publications: readonly Publication[];
}

/** Part of a slot's result that follows from the simulated topics of all layers. */
type LayerResults = Pick<SlotRun, 'delays' | 'loads' | 'layerLoads' | 'unfinished' | 'dropped' | 'backlog' | 'events'>;

/**
 * Simulates sampled topics, layer by layer. Each layer is simulated with the load that earlier layers leave on links
 * and cores.
 */
export class LayerSamples {
  readonly #world: NetworkWorld;
  readonly #sizes: SampleSizes;
  readonly #random: RandomStream;
  readonly #watch: SlotWatch | undefined;
  readonly #dueUs: Readonly<Record<Layer, number>>;
  /** Load that earlier layers leave on every node's links and cores. */
  readonly #burdens: Burdens;
  /** Event queue of the topics' runs. */
  readonly #queue = new EventQueue();
  readonly #delays: Partial<Record<Layer, LayerDelay>> = {};
  readonly #loads: Partial<Record<Layer, readonly LayerLoad[]>> = {};
  readonly #unfinished: Layer[] = [];
  #backlog: SlotBacklog | undefined;
  #events = 0;
  #dropped = 0;

  /**
   * Starts with the load that the previous slot has left.
   *
   * @param random chooses the sampled topics.
   */
  constructor(
    world: NetworkWorld,
    sizes: SampleSizes,
    before: SlotBacklog | undefined,
    random: RandomStream,
    watch: SlotWatch | undefined,
  ) {
    this.#world = world;
    this.#sizes = sizes;
    this.#random = random;
    this.#watch = watch;
    this.#dueUs = dueTimesUs(world.system);
    this.#burdens = new Burdens(world, before);
  }

  /** Returns the load that earlier layers leave for a layer that begins at this time, or undefined if there is none. */
  burdenAt(startUs: number): Burden | undefined {
    return this.#burdens.at(startUs);
  }

  /** Simulates a topic of a layer. */
  simulate(
    layer: Layer,
    plan: Omit<TopicPlan, 'dueUs' | 'laterUs' | 'maxMembers' | 'maxMessages' | 'queue'>,
  ): TopicSample {
    const { nodes: maxMembers, messages: maxMessages } = this.#sizes;
    const times = { dueUs: this.#dueUs[layer], laterUs: this.#laterUs(layer) };
    return sampleTopic(this.#world, { ...plan, ...times, maxMembers, maxMessages, queue: this.#queue });
  }

  /**
   * Simulates up to `max` topics of a layer before the global one, and records their results. Before each
   * topic, the function yields the progress of the slot, 0 to 1.
   *
   * @returns the simulated topics by index.
   */
  *sampleLayer<Topic extends SentSample>(
    layer: 'subnets' | 'committees',
    max: number,
    simulate: (topic: number) => Topic,
  ): Generator<number, ReadonlyMap<number, Topic>> {
    const world = this.#world;
    const [topics, topicsOf] =
      layer === 'subnets' ? [world.subnets, world.subnetsOf] : [world.committeeTopics, world.committeeTopicsOf];
    const chosen = pick(topics.length, max, this.#random);
    const sampled = new Map<number, Topic>();
    for (const topic of chosen) {
      yield progressAt[layer] + (layerPart * sampled.size) / chosen.length;
      sampled.set(topic, simulate(topic));
    }
    const samples = Array.from(sampled.values(), ({ sample }) => sample);
    const dueUs = this.#dueUs[layer];
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

  /** Records the results of Handel, which replaces the layer of the subnets. */
  recordHandel(loads: readonly LayerLoad[], delay: LayerDelay): void {
    this.#loads.subnets = loads;
    this.#delays.subnets = delay;
  }

  /** Records the results of the global topic, the last layer. */
  recordGlobal(topic: SentSample): void {
    const { sample } = topic;
    this.#record('global', [topic]);
    const isMember = new Set(sample.members);
    this.#loads.global = loadsByClass(this.#world, sample.costs, sample.nodes, (node) => isMember.has(node));
    if (this.#world.post !== undefined) return;
    if (this.#burdens.isUnfinished(sample)) this.#unfinished.push('global');
    this.#backlog = this.#burdens.backlogOf(sample);
  }

  /** Returns the results of all layers. */
  results(): LayerResults {
    const ofLayers = Object.values(this.#loads);
    return {
      delays: this.#delays,
      loads: this.#world.scenario.links.map((_, index) => sumOf(ofLayers.map((loads) => loads[index]!))),
      layerLoads: this.#loads,
      unfinished: this.#unfinished,
      dropped: this.#dropped,
      backlog: this.#backlog,
      events: this.#events,
    };
  }

  /** Returns the end times of the layers that follow a layer. Under the post's assumptions, all later events count. */
  #laterUs(layer: Layer): number[] {
    const { system, post } = this.#world;
    if (post !== undefined) return [maxTimeUs];
    const used = layersOf(system);
    return used.slice(used.indexOf(layer) + 1).map((later) => this.#dueUs[later]);
  }

  /** Records a layer's delays, events and dropped messages, and reports the layer to the observer. */
  #record(layer: Layer, topics: readonly SentSample[]): void {
    if (this.#watch !== undefined) reportTopics(layer, topics, this.#watch);
    else {
      const delay = delayOf(topics, this.#dueUs[layer]);
      if (delay !== undefined) this.#delays[layer] = delay;
    }
    this.#events += topics.reduce((sum, { sample }) => sum + sample.events, 0);
    this.#dropped += topics.reduce((sum, { sample }) => sum + sample.costs.dropped, 0);
  }
}

/** Draws up to `max` different indices below `count`. */
function pick(count: number, max: number, random: RandomStream): readonly number[] {
  return count <= max ? Array.from({ length: count }, (_, index) => index) : drawnIndices(random, max, count);
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
