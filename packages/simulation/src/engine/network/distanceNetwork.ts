import { RandomStream } from '@tutti/core';
import { requireFunction } from '@tutti/core/settings';
import { Globe } from './globe.ts';
import { Jitter } from './jitter.ts';
import type { NamedNetwork } from './networkModel.ts';

/**
 * Where the nodes of the network `distance` are: uniformly on the globe, by seed. Calls `place` with the sine of the
 * latitude and the longitude, radians.
 */
export function drawOnGlobe(
  nodes: number,
  seed: number,
  place: (id: number, height: number, longitude: number) => void,
): void {
  requireFunction('place', place);
  const random = new RandomStream(seed, 'places');
  for (let id = 0; id < nodes; id++) {
    const height = 2 * random.nextUnit() - 1;
    place(id, height, 2 * Math.PI * random.nextUnit());
  }
}

/** Nodes uniformly on the globe, by seed; latency by great-circle distance and the internet's jitter. */
export function distanceNetwork(nodes: number, seed: number): NamedNetwork {
  const globe = new Globe(nodes);
  drawOnGlobe(nodes, seed, (id, height, longitude) => globe.place(id, height, longitude));
  const latencies = new Jitter(nodes, seed).along((from, to) => globe.oneWayUs(from, to));
  return { regionNames: ['globe'], region: new Uint8Array(nodes), ...latencies };
}
