import type { NamedNetwork } from './networkModel.ts';

/** Creates a network for a number of nodes and a seed. */
export type MakeNetwork = (nodes: number, seed: number) => NamedNetwork;

/** Networks with a table of cities. Each is a separate module, which a page loads only if needed. */
const tables = {
  cities: async () => (await import('./citiesNetwork.ts')).citiesNetwork,
  'cities-by-distance': async () => (await import('./citiesByDistanceNetwork.ts')).citiesByDistanceNetwork,
} satisfies Readonly<Record<string, () => Promise<MakeNetwork>>>;

export type TabledName = keyof typeof tables;

const loaded = new Map<string, MakeNetwork>();

/** Returns whether a network has a table of cities, which {@link loadTable} must load before a run. */
export function isTabled(name: string): name is TabledName {
  return Object.hasOwn(tables, name);
}

/** Loads the table of a network, once per thread. */
export async function loadTable(name: TabledName): Promise<void> {
  if (!loaded.has(name)) loaded.set(name, await tables[name]());
}

const given = new Map<string, MakeNetwork>();

/**
 * Registers a network for scenarios of this thread, under a name that begins with `file:`. The program has read it from
 * a file.
 */
export function giveNetwork(name: `${string}:${string}`, make: MakeNetwork): void {
  given.set(name, make);
}

/** Removes a network that was registered under that name. */
export function dropNetwork(name: string): void {
  given.delete(name);
}

/** Returns the network registered under that name. */
export function givenNetwork(name: string): MakeNetwork | undefined {
  return given.get(name);
}

/** Returns the constructor of a network with a table of cities. @throws Error if the table was not loaded. */
export function loadedNetwork(name: TabledName): MakeNetwork {
  const make = loaded.get(name);
  if (make === undefined)
    throw new Error(`network: expected the table of ${name}, got none; call await loadNetwork('${name}') first`);
  return make;
}
