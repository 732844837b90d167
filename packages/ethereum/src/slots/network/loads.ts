import type { GossipCosts } from './gossipState.ts';
import type { NetworkWorld } from './networkWorld.ts';

/** Load of a node over the slot, averaged over the nodes of a class. */
export interface LayerLoad {
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly controlBytes: number;
  /** Number of copies received. */
  readonly copies: number;
  /** Number of superfluous copies received. */
  readonly duplicates: number;
  readonly coreSeconds: number;
}

const keys = ['receivedBytes', 'sentBytes', 'controlBytes', 'copies', 'duplicates', 'coreSeconds'] as const;
export const noLoad: LayerLoad = {
  receivedBytes: 0,
  sentBytes: 0,
  controlBytes: 0,
  copies: 0,
  duplicates: 0,
  coreSeconds: 0,
};

/** Returns the cost of a run for one node. */
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
 * Returns the mean cost of a run per node, by class of link.
 *
 * @param nodes nodes in the run's order. @param counts 1 for nodes that count.
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

/** A kind of topic of which some topics were simulated. */
export interface TopicRun {
  readonly costs: GossipCosts;
  /** Nodes of the simulation, in its order. */
  readonly nodes: Int32Array;
  /** Number of simulated nodes. */
  readonly sampled: Int32Array;
  /** Total number of nodes. */
  readonly members: number;
}

/**
 * Returns the mean cost per node of all topics of a kind, by class of link. Topics that were not simulated are assumed
 * to cost as much as those that were.
 *
 * @param topicsOf number of topics of each node. The costs of a member in a simulation are for all of its topics.
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

export function sumOf(loads: readonly LayerLoad[]): LayerLoad {
  const sum: Record<(typeof keys)[number], number> = { ...noLoad };
  for (const load of loads) for (const key of keys) sum[key] += load[key];
  return sum;
}

export function scaled(load: LayerLoad, by: number): LayerLoad {
  const result: Record<(typeof keys)[number], number> = { ...load };
  for (const key of keys) result[key] *= by;
  return result;
}
