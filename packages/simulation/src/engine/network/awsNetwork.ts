import { shuffle } from '@tutti/core';
import { awsOneWayUs, awsRegions } from './awsLatency.ts';
import { Jitter } from './jitter.ts';
import type { NamedNetwork } from './networkModel.ts';

/** Nodes spread evenly over the regions, by seed; half of a round trip (v1.03 appendix B) and the internet's jitter. */
export function awsNetwork(nodes: number, seed: number): NamedNetwork {
  const order = shuffle(nodes, seed, 'regions');
  const region = new Uint8Array(nodes);
  for (let node = 0; node < nodes; node++) region[node] = order[node]! % awsRegions.length;
  return between(region, seed);
}

/**
 * Nodes on machines in the order of their regions, ids given out to one machine after another and round again. So the
 * published runs were laid out: a node's closest peers are in its own region (v1.03 section 7.1).
 *
 * @param machines of which there are no more than nodes. Default: half as many as nodes.
 */
export function awsBlocksNetwork(nodes: number, seed: number, machines = Math.ceil(nodes / 2)): NamedNetwork {
  const used = Math.min(nodes, machines);
  const machine = Int32Array.from({ length: nodes }, (_, id) => id % used);
  const region = Uint8Array.from(machine, (one) => Math.floor((one * awsRegions.length) / used));
  return { ...between(region, seed), machine };
}

function between(region: Uint8Array, seed: number): NamedNetwork {
  const baseUs = new Int32Array(16 * awsRegions.length);
  for (let a = 0; a < awsRegions.length; a++) {
    for (let b = 0; b < awsRegions.length; b++) baseUs[a * 16 + b] = awsOneWayUs(a, b);
  }
  const latencies = new Jitter(region.length, seed).along((from, to) => baseUs[region[from]! * 16 + region[to]!]!);
  return { regionNames: awsRegions, region, ...latencies };
}
