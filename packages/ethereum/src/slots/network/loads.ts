import type { GossipCosts } from './gossipState.ts';
import type { NetworkWorld } from './networkWorld.ts';

/** Returns the number of nodes of a link class. */
export function sizeOfClass(classOf: Uint8Array, linkClass: number): number {
  return classOf.reduce((sum, of) => sum + (of === linkClass ? 1 : 0), 0);
}

/** Load of a node over the slot, or the mean over nodes of a class. */
export interface LayerLoad {
  /** Bytes received, including control messages. */
  readonly receivedBytes: number;
  /** Bytes sent, including control messages. */
  readonly sentBytes: number;
  /** Bytes of sent control messages. */
  readonly controlBytes: number;
  /** Number of copies of messages received, including the first copy of each message. */
  readonly copies: number;
  /** Number of received copies of messages that the node already had. */
  readonly duplicates: number;
  /** Busy time of the node's cores, s. */
  readonly coreSeconds: number;
}

/** Load of a node that sends, receives and computes nothing. */
export const noLoad: LayerLoad = {
  receivedBytes: 0,
  sentBytes: 0,
  controlBytes: 0,
  copies: 0,
  duplicates: 0,
  coreSeconds: 0,
};
const keys = Object.keys(noLoad) as readonly (keyof LayerLoad)[];

/** Returns the load of one node of a run. */
function loadOf(costs: GossipCosts, node: number): LayerLoad {
  return {
    receivedBytes: costs.received[node]!,
    sentBytes: costs.sent[node]!,
    controlBytes: costs.control[node]!,
    copies: costs.copies[node]!,
    duplicates: costs.duplicates[node]!,
    coreSeconds: costs.busyUs[node]! / 1e6,
  };
}

/**
 * Returns a run's mean load per node, by link class. The load of a class without nodes is 0.
 *
 * @param nodes the world's nodes, in the run's order.
 * @param counts returns whether a node counts. Default: all nodes.
 */
export function loadsByClass(
  { scenario, classOf }: NetworkWorld,
  costs: GossipCosts,
  nodes: Int32Array,
  counts: (node: number) => boolean = () => true,
): LayerLoad[] {
  return scenario.links.map((_, index) => {
    const loads: LayerLoad[] = [];
    nodes.forEach((node, place) => {
      if (classOf[node] === index && counts(node)) loads.push(loadOf(costs, place));
    });
    return scaled(sumOf(loads), 1 / Math.max(1, loads.length));
  });
}

/** Simulation of one topic, with a sample of its members. */
export interface TopicRun {
  readonly costs: GossipCosts;
  /** Nodes in simulation order: the sampled members and the nodes that send to them. */
  readonly nodes: Int32Array;
  /** Sampled members. */
  readonly sampled: Int32Array;
  /** Number of members of the topic. */
  readonly members: number;
}

/**
 * Returns the mean load per node for all topics of a kind, by link class. Topics outside the simulation are assumed to
 * cost as much as simulated ones.
 *
 * @param topics simulated topics.
 * @param count number of topics of this kind.
 * @param topicsOf number of topics of this kind that each node is on. A sampled member's load in a simulation covers
 * all of the member's topics.
 */
export function loadsOfTopics(
  { scenario, classOf }: NetworkWorld,
  topics: readonly TopicRun[],
  count: number,
  topicsOf: Int32Array,
): LayerLoad[] {
  return scenario.links.map((_, index) => {
    const nodes = sizeOfClass(classOf, index);
    const sums = topics.map(({ costs, nodes: ofRun, sampled, members }) => {
      const isSampled = new Set(sampled);
      const loads: LayerLoad[] = [];
      ofRun.forEach((node, place) => {
        if (classOf[node] !== index || (costs.sent[place] === 0 && costs.received[place] === 0)) return;
        const share = isSampled.has(node) ? members / sampled.length / Math.max(1, topicsOf[node]!) : 1;
        loads.push(scaled(loadOf(costs, place), share));
      });
      return sumOf(loads);
    });
    return scaled(sumOf(sums), count / Math.max(1, topics.length) / Math.max(1, nodes));
  });
}

/** Returns the sum of loads, field by field. */
export function sumOf(loads: readonly LayerLoad[]): LayerLoad {
  return fieldwise((key) => loads.reduce((sum, load) => sum + load[key], 0));
}

/** Returns a load with every field multiplied by a factor. */
export function scaled(load: LayerLoad, by: number): LayerLoad {
  return fieldwise((key) => load[key] * by);
}

function fieldwise(value: (key: keyof LayerLoad) => number): LayerLoad {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as unknown as LayerLoad;
}

/** Load on each node that earlier layers leave for a layer. */
export interface Burden {
  /** Bytes that wait for each node's links when the layer begins. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /**
   * Rate at which each node's links carry further bytes of earlier layers throughout the layer, bytes per microsecond.
   */
  readonly upRate: Float64Array;
  readonly downRate: Float64Array;
  /** Unfinished work of each node's cores when the layer begins, µs of one core. */
  readonly coreUs: Float64Array;
}

/** Load on each node that a slot leaves for the next slot. */
export type SlotBacklog = Pick<Burden, 'up' | 'down' | 'coreUs'>;
