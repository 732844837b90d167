import { shuffle } from '../overlay/shuffle.ts';
import { awsOneWayUs, awsRegions } from './awsLatency.ts';
import { Jitter } from './jitter.ts';
import type { NetworkModel } from './networkModel.ts';

/** Nodes spread evenly over the regions, by seed; half of a round trip (v1.03 appendix B) and the internet's jitter. */
export function awsNetwork(nodes: number, seed: number): NetworkModel {
  return between(
    Uint8Array.from(shuffle(nodes, seed, 'regions'), (place) => place % awsRegions.length),
    seed,
  );
}

/**
 * Nodes on as many machines as half of them, machines in the order of their regions, and ids given out to one machine after another, twice
 * round. So the published runs were laid out: a node's closest peers are in its own region (v1.03 section 7.1).
 */
export function awsBlocksNetwork(nodes: number, seed: number): NetworkModel {
  const machines = Math.ceil(nodes / 2);
  return between(
    Uint8Array.from({ length: nodes }, (_, id) => Math.floor(((id % machines) * awsRegions.length) / machines)),
    seed,
  );
}

function between(region: Uint8Array, seed: number): NetworkModel {
  const baseUs = new Int32Array(16 * awsRegions.length);
  for (let a = 0; a < awsRegions.length; a++) {
    for (let b = 0; b < awsRegions.length; b++) baseUs[a * 16 + b] = awsOneWayUs(a, b);
  }
  const jitter = new Jitter(region.length, seed);
  return {
    regionNames: awsRegions,
    region,
    oneWayUs: (from, to) => baseUs[region[from]! * 16 + region[to]!]! + jitter.nextUs(from),
  };
}
