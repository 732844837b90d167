import table from './citiesByDistance.json' with { type: 'json' };
import { Globe } from './distanceNetwork.ts';
import { drawByPopulation, Jitter, type NamedNetwork } from './networkModel.ts';

/** A city with its position and its number of inhabitants. */
export interface City {
  readonly name: string;
  /** Latitude, degrees. */
  readonly latitude: number;
  /** Longitude, degrees. */
  readonly longitude: number;
  readonly population: number;
}

/** Returns the cities of `cities-by-distance`, the most populous first. */
export function citiesByPopulation(): City[] {
  return (table.cities as unknown as readonly (readonly [string, number, number, number])[]).map(
    ([name, latitude, longitude, thousands]) => ({ name, latitude, longitude, population: 1000 * thousands }),
  );
}

/**
 * Creates the network `cities-by-distance`: the seed assigns nodes to cities at random, in proportion to population;
 * latencies follow the great-circle distance, plus the internet's jitter.
 */
export function citiesByDistanceNetwork(nodes: number, seed: number): NamedNetwork {
  const cities = citiesByPopulation();
  const count = cities.length;
  const globe = new Globe(count);
  for (const [index, { latitude, longitude }] of cities.entries()) {
    globe.place(index, Math.sin((latitude * Math.PI) / 180), (longitude * Math.PI) / 180);
  }
  const betweenUs = new Int32Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) betweenUs[a * count + b] = globe.oneWayUs(a, b);
  }
  const population = cities.map((city) => city.population);
  const region = drawByPopulation(population, nodes, seed);
  const latencies = new Jitter(nodes, seed).along((from, to) => betweenUs[region[from]! * count + region[to]!]!);
  return { regionNames: cities.map(({ name }) => name), region, ...latencies };
}
