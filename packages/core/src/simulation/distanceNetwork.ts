import { RandomStream } from '../random.ts';
import { Globe } from './globe.ts';
import { Jitter } from './jitter.ts';
import type { NetworkModel } from './networkModel.ts';

/** Nodes uniformly on the globe, by seed; latency by great-circle distance and the internet's jitter. */
export function distanceNetwork(nodes: number, seed: number): NetworkModel {
  const random = new RandomStream(seed, 'places');
  const globe = new Globe(nodes);
  for (let id = 0; id < nodes; id++) {
    const height = 2 * random.nextUnit() - 1;
    globe.place(id, height, 2 * Math.PI * random.nextUnit());
  }
  const jitter = new Jitter(nodes, seed);
  return {
    regionNames: ['globe'],
    region: new Uint8Array(nodes),
    oneWayUs: (from, to) => globe.oneWayUs(from, to) + jitter.nextUs(from),
  };
}
