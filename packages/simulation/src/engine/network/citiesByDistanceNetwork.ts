import table from './citiesByDistance.json' with { type: 'json' };
import { Globe } from './distanceNetwork.ts';
import { drawByPopulation, type NamedNetwork, networkOfPlaces } from './networkModel.ts';

/** A city with its position and its number of inhabitants. */
export interface City {
  readonly name: string;
  /** Latitude, degrees. */
  readonly latitude: number;
  /** Longitude, degrees. */
  readonly longitude: number;
  readonly population: number;
}

/** Cities of the network `cities-by-distance`, the most populous first. */
export const citiesByDistance: readonly City[] = (
  table.cities as readonly unknown[] as readonly [string, number, number, number][]
).map(([name, latitude, longitude, thousands]) => ({ name, latitude, longitude, population: 1000 * thousands }));

/**
 * Creates the network `cities-by-distance`: the seed assigns nodes to cities at random, in proportion to population;
 * latencies follow the great-circle distance, plus the internet's jitter.
 */
export function citiesByDistanceNetwork(nodes: number, seed: number): NamedNetwork {
  const globe = new Globe(citiesByDistance.length);
  for (const [index, { latitude, longitude }] of citiesByDistance.entries()) {
    globe.place(index, Math.sin((latitude * Math.PI) / 180), (longitude * Math.PI) / 180);
  }
  const betweenUs = citiesByDistance.flatMap((_, a) => citiesByDistance.map((_, b) => globe.oneWayUs(a, b)));
  const region = drawByPopulation(citiesByDistance, nodes, seed);
  const names = citiesByDistance.map(({ name }) => name);
  return networkOfPlaces(names, region, Int32Array.from(betweenUs), seed);
}
