import measured from './cityLatencies.json' with { type: 'json' };
import { drawByPopulation, type NamedNetwork, networkOfPlaces } from './networkModel.ts';

/** Cities of the network `cities` (v1.03 appendix A.1), sorted by name. */
export const cities = measured.cities.map(([name, thousands]) => ({
  name: String(name),
  population: 1000 * Number(thousands),
}));

/** Assumed round trip within a city, ms; the measurements contain no such value. */
const withinCityMs = 10;

/** Digits of the table, six bits each. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** One-way latencies between cities without jitter, µs; from city a to city b at index a * cities.length + b. */
const betweenUs = new Int32Array(cities.length ** 2);
const { high, low } = measured.roundTripsMs;
for (let a = 0, at = 0; a < cities.length; a++) {
  betweenUs[a * cities.length + a] = 500 * withinCityMs;
  for (let b = 0; b < a; b++, at++) {
    const roundTripMs = 64 * digits.indexOf(high[at]!) + digits.indexOf(low[at]!);
    betweenUs[a * cities.length + b] = 500 * roundTripMs;
    betweenUs[b * cities.length + a] = 500 * roundTripMs;
  }
}

/**
 * Creates the network `cities`: the seed assigns nodes to cities at random, in proportion to population; a latency is
 * half of a measured round trip, plus the internet's jitter.
 */
export function citiesNetwork(nodes: number, seed: number): NamedNetwork {
  const region = drawByPopulation(cities, nodes, seed);
  const names = cities.map(({ name }) => name);
  return networkOfPlaces(names, region, betweenUs, seed);
}
