import measured from './cityLatencies.json' with { type: 'json' };
import { drawByPopulation, Jitter, type NamedNetwork } from './networkModel.ts';

/** A city of the table of measured round trips. */
export interface MeasuredCity {
  readonly name: string;
  readonly population: number;
}

/** Assumed round trip within a city, ms; the measurements contain no such value. */
const withinCityMs = 10;

/** Digits of the table, six bits each. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Content of the table. The table is read on first use, so a page without this network does not load it. */
interface Table {
  readonly cities: readonly MeasuredCity[];
  /** Round trips, ms, row by row: the round trip between cities a and b is at index a * cities.length + b. */
  readonly roundTripsMs: Uint16Array;
}

let table: Table | undefined;

function readTable(): Table {
  if (table !== undefined) return table;
  const cities = measured.cities.map(([name, thousands]) => ({
    name: String(name),
    population: 1000 * Number(thousands),
  }));
  const count = cities.length;
  const { high, low } = measured.roundTripsMs;
  const roundTripsMs = new Uint16Array(count * count);
  let at = 0;
  for (let a = 0; a < count; a++) {
    roundTripsMs[a * count + a] = withinCityMs;
    for (let b = 0; b < a; b++, at++) {
      const ms = 64 * digits.indexOf(high[at]!) + digits.indexOf(low[at]!);
      roundTripsMs[a * count + b] = ms;
      roundTripsMs[b * count + a] = ms;
    }
  }
  table = { cities, roundTripsMs };
  return table;
}

/** Returns the cities of the network `cities` (v1.03 appendix A.1), by name. */
export function cities(): readonly MeasuredCity[] {
  return readTable().cities;
}

/**
 * Creates the network `cities`: the seed assigns nodes to cities at random, in proportion to population; a latency is
 * half of a measured round trip, plus the internet's jitter.
 */
export function citiesNetwork(nodes: number, seed: number): NamedNetwork {
  const { cities, roundTripsMs } = readTable();
  const count = cities.length;
  const betweenUs = Int32Array.from(roundTripsMs, (ms) => 500 * ms);
  const population = cities.map((city) => city.population);
  const region = drawByPopulation(population, nodes, seed);
  const latencies = new Jitter(nodes, seed).along((from, to) => betweenUs[region[from]! * count + region[to]!]!);
  return { regionNames: cities.map(({ name }) => name), region, ...latencies };
}
