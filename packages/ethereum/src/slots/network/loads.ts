import type { GossipCosts } from './gossipState.ts';
import type { NetworkWorld } from './networkWorld.ts';

/** Load of a node over the slot, or the mean over nodes of a class. */
export interface LayerLoad {
  /** Bytes received, with those of control messages. */
  readonly receivedBytes: number;
  /** Bytes sent, with those of control messages. */
  readonly sentBytes: number;
  /** Bytes of sent control messages. */
  readonly controlBytes: number;
  /** Number of copies of messages received, the first ones included. */
  readonly copies: number;
  /** Number of copies received of messages that the node already had. */
  readonly duplicates: number;
  /** Time of the node's cores, s. */
  readonly coreSeconds: number;
}

/** Fields of a load. */
const keys = ['receivedBytes', 'sentBytes', 'controlBytes', 'copies', 'duplicates', 'coreSeconds'] as const;
/** Load of a node that sends, receives and computes nothing. */
export const noLoad: LayerLoad = {
  receivedBytes: 0,
  sentBytes: 0,
  controlBytes: 0,
  copies: 0,
  duplicates: 0,
  coreSeconds: 0,
};

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
 * Returns the mean load of a run per node, by class of link. It is 0 for a class without nodes.
 *
 * @param nodes the world's nodes, in the run's order. @param counts returns whether a node is part of the mean.
 * Default: all nodes.
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
  /** Nodes of the simulation, in its order: the sampled members, and nodes that send to them. */
  readonly nodes: Int32Array;
  /** Sampled members. */
  readonly sampled: Int32Array;
  /** Number of members of the topic. */
  readonly members: number;
}

/**
 * Returns the mean load per node of all topics of a kind, by class of link. Topics that were not simulated are assumed
 * to cost as much as those that were.
 *
 * @param topics simulated topics. @param count number of topics of the kind. @param topicsOf number of topics of the
 * kind by node. In a simulation, the load of a sampled member is for all of its topics.
 */
export function loadsOfTopics(
  { scenario, classOf }: NetworkWorld,
  topics: readonly TopicRun[],
  count: number,
  topicsOf: Int32Array,
): LayerLoad[] {
  return scenario.links.map((_, index) => {
    const nodes = classOf.reduce((sum, of) => sum + (of === index ? 1 : 0), 0);
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
  const sum: Record<(typeof keys)[number], number> = { ...noLoad };
  for (const load of loads) for (const key of keys) sum[key] += load[key];
  return sum;
}

/** Returns a load with every field multiplied by a factor. */
export function scaled(load: LayerLoad, by: number): LayerLoad {
  const result: Record<(typeof keys)[number], number> = { ...load };
  for (const key of keys) result[key] *= by;
  return result;
}

/** Load of each node that earlier layers leave to a layer. */
export interface Burden {
  /** Bytes that wait for each node's links when the layer begins. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /** Additional bytes per microsecond that each node's links carry for earlier layers, throughout the layer. */
  readonly upRate: Float64Array;
  readonly downRate: Float64Array;
  /** Work that each node's cores still have when the layer begins, in microseconds of one core. */
  readonly coreUs: Float64Array;
}

/** Load of each node that a slot leaves to the next one. */
export type SlotBacklog = Pick<Burden, 'up' | 'down' | 'coreUs'>;
