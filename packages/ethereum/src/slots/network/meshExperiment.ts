import { RandomStream, shuffle } from '@tutti/core';
import {
  expected,
  onOff,
  requireArray,
  requireIn,
  requireInteger,
  requireNumber,
  requireObject,
} from '@tutti/core/input';
import { validateNetwork } from '@tutti/simulation';
import { createNetwork } from '@tutti/simulation/engine';
import { clientPresets } from '../../horn/network/client.ts';
import { type GossipsubParameters, validateGossipsub } from '../../horn/network/gossipsub.ts';
import { bandwidths, bytesPerUs } from '../../horn/network/nodes.ts';
import { GossipRun } from './gossipRun.ts';
import { Priority } from './gossipState.ts';

/**
 * Highest limit of a batch, which is more than the messages of a slot: a batch with this limit contains all waiting
 * messages.
 */
const maxBatch = 2 ** 20;

/** An experiment with gossipsub only, on topics to which all nodes subscribe, as in papers with other simulators. */
export interface MeshExperiment {
  readonly nodes: number;
  readonly topics: number;
  /**
   * Number of additional nodes that each publish one message to a topic at the same time. With 0 additional nodes and
   * without `meshPublishers`, one node on the topic publishes.
   */
  readonly publishers: number;
  /**
   * Number of nodes on a topic that publish to it in every slot; the seed selects the nodes once. Default: none if
   * `publishers` is positive, otherwise one node, drawn again for each slot.
   */
  readonly meshPublishers?: number;
  readonly slots: number;
  readonly slotMs: number;
  readonly messageBytes: number;
  /** Share of nodes with the better links. The rates below are for download and upload, in Mbit/s. */
  readonly superShare: number;
  readonly superMbps: readonly [down: number, up: number];
  readonly homeMbps: readonly [down: number, up: number];
  readonly gossip: GossipsubParameters;
  /** Duration of a batch, ms. A batch consists of the messages that are waiting when the previous batch ends. */
  readonly batchMs: number;
  /** Additional duration of a batch per message in it, µs. */
  readonly eachUs: number;
  /** Maximum number of messages in a batch. Default: all waiting messages. */
  readonly batch?: number;
  /**
   * Whether a message counts as soon as a node has received it; otherwise the message counts when the node has verified
   * it. Default: false.
   */
  readonly byReceipt?: boolean;
  /** Name of a network, as `createNetwork` takes it. */
  readonly network: string;
  readonly seed: number;
}

/** One slot of the experiment, with each message's delay from publication until each node has the message. */
export interface MeshSlot {
  /** Delay by message and node, ms; infinite if the message does not arrive by the end of the slot. */
  readonly ms: readonly Float64Array[];
  /** Mean bytes received per node in this slot. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/**
 * Simulates every message of an experiment.
 *
 * @throws RangeError naming the invalid field.
 */
export function runMeshExperiment(experiment: MeshExperiment): MeshSlot[] {
  validateMeshExperiment(experiment);
  const { nodes, topics, publishers, slots, slotMs, messageBytes, gossip, byReceipt, network, seed } = experiment;
  const all = nodes + topics * publishers;
  const client = {
    ...clientPresets.singly,
    machine: 'epyc-native',
    cores: 1,
    batch: experiment.batch ?? maxBatch,
    batchWaitMs: 0,
  } as const;
  const costs = { batchUs: 1000 * experiment.batchMs, setUs: experiment.eachUs, summedUs: experiment.eachUs };
  const run = new GossipRun(
    { nodes: linksOf(experiment, all), network: createNetwork(network, all, seed), gossip, client, costs },
    seed,
  );
  const members = Int32Array.from({ length: nodes }, (_, node) => node);
  const numbers = Array.from({ length: topics }, () => run.addTopic(members));
  const random = new RandomStream(seed, 'publishers');
  const { meshPublishers } = experiment;
  const committees = numbers.map((topic) =>
    shuffle(nodes, seed, `committee ${topic}`).subarray(0, meshPublishers ?? 0),
  );
  return Array.from({ length: slots }, (_, slot) => {
    const atUs = 1000 * slotMs * slot;
    const before = sums(run, nodes);
    const published = numbers.flatMap((topic) => {
      const outside = Array.from({ length: publishers }, (__, index) => nodes + topic * publishers + index);
      const drawn = meshPublishers === undefined && publishers === 0 ? [random.nextBelow(nodes)] : [];
      return [...outside, ...committees[topic]!, ...drawn].map((node) => {
        const message = { topic, bytes: messageBytes, sets: 1, keyUs: 0, priority: Priority.vote, together: 1 };
        return run.publish(atUs, node, message);
      });
    });
    run.run(atUs + 1000 * slotMs);
    const after = sums(run, nodes);
    return {
      ms: published.map((number) =>
        Float64Array.from(byReceipt ? run.receivedUs(number) : run.verifiedUs(number), (at) =>
          at === -1 ? Number.POSITIVE_INFINITY : (at - atUs) / 1000,
        ),
      ),
      receivedBytes: (after.received - before.received) / nodes,
      sentBytes: (after.sent - before.sent) / nodes,
    };
  });
}

function sums(run: GossipRun, nodes: number): { readonly received: number; readonly sent: number } {
  const sum = (of: Float64Array) => of.subarray(0, nodes).reduce((total, one) => total + one, 0);
  const { received, sent } = run.through();
  return { received: sum(received), sent: sum(sent) };
}

function linksOf(experiment: MeshExperiment, all: number) {
  const { superShare, superMbps, homeMbps, seed } = experiment;
  const isSuper = new Uint8Array(all);
  for (const node of shuffle(all, seed, 'links').subarray(0, Math.round(superShare * all))) isSuper[node] = 1;
  const rate = (which: 0 | 1) =>
    Float64Array.from(isSuper, (one) => bytesPerUs(one === 1 ? superMbps[which] : homeMbps[which]));
  return { up: rate(1), down: rate(0), load: new Float64Array(all).fill(1) };
}

function validateMeshExperiment(experiment: MeshExperiment): void {
  requireObject('experiment', experiment);
  const { nodes, topics, publishers, slots, slotMs, messageBytes, superShare, superMbps, homeMbps } = experiment;
  requireInteger('nodes', nodes, 2, 5000);
  requireInteger('topics', topics, 1, 64);
  requireInteger('publishers', publishers, 0, 10_000);
  requireInteger('meshPublishers', experiment.meshPublishers ?? 0, 0, nodes);
  requireInteger('publishers and meshPublishers', publishers + (experiment.meshPublishers ?? 1), 1, 15_000);
  requireInteger('slots', slots, 1, 32);
  requireInteger('batch', experiment.batch ?? maxBatch, 1, maxBatch);
  requireNumber('slotMs', slotMs, 1, 60_000);
  requireInteger('messageBytes', messageBytes, 1, 2 ** 24);
  requireNumber('superShare', superShare, 0, 1);
  for (const [label, link] of Object.entries({ superMbps, homeMbps })) {
    requireArray(label, link);
    if (link.length !== 2) throw new RangeError(expected(label, 'a download and an upload rate', link.length));
    for (const mbps of link) requireIn(label, mbps, bandwidths);
  }
  requireIn('byReceipt', experiment.byReceipt ?? false, onOff);
  validateGossipsub(experiment.gossip);
  requireNumber('batchMs', experiment.batchMs, 0, 10_000);
  requireNumber('eachUs', experiment.eachUs, 0, 1e6);
  validateNetwork(experiment.network);
  requireInteger('seed', experiment.seed, 0, 2 ** 32 - 1);
}
