import { shuffle } from '@tutti/core';
import { expected, partOf, requireInteger, requireText } from '@tutti/core/input';
import { badChoice } from '../../text/fieldText.ts';
import { distanceNetwork } from './distanceNetwork.ts';
import { type NamedNetwork, networkOfPlaces, withoutJitter } from './networkModel.ts';

/** One-way latency that Tor adds for each end of a link that is behind Tor, µs (v1.03 sections 5.2 and A.3). */
const torUs = 500_000;

/**
 * Puts a share of the nodes behind Tor; the seed selects the nodes.
 *
 * @param share the share of all nodes, in [0, 1]; the count is rounded down.
 */
function behindTor(network: NamedNetwork, share: number, nodes: number, seed: number): NamedNetwork {
  const extraUs = new Int32Array(nodes);
  for (const id of shuffle(nodes, seed, 'tor').subarray(0, partOf(nodes, share))) extraUs[id] = torUs;
  return {
    ...network,
    wayUs: (from, to) => network.wayUs(from, to) + extraUs[from]! + extraUs[to]!,
    oneWayUs: (from, to) => network.oneWayUs(from, to) + extraUs[from]! + extraUs[to]!,
  };
}

const maxMachines = 2 ** 20;

/** Maximum one-way latency in the name of a network, ms. */
const longestMs = 60_000;

/**
 * Networks by the form of the name. A function receives the numbers in the name, NaN for any other text, and returns
 * false for invalid ones.
 */
const networks: Readonly<Record<string, (...numbers: number[]) => MakeNetwork | false>> = {
  aws: () => awsNetwork,
  'aws-blocks': () => awsBlocksNetwork,
  'aws-blocks:MACHINES': (machines) =>
    Number.isInteger(machines) &&
    machines >= 1 &&
    machines <= maxMachines &&
    ((nodes, seed) => awsBlocksNetwork(nodes, seed, machines)),
  cities: () => (nodes, seed) => loadedNetwork('cities')(nodes, seed),
  'cities-by-distance': () => (nodes, seed) => loadedNetwork('cities-by-distance')(nodes, seed),
  distance: () => distanceNetwork,
  'constant:MS': (ms) => ms <= longestMs && ((nodes) => constantNetwork(nodes, ms)),
  'mixed:FASTMS,SLOWMS,SLOWSHARE': (fastMs, slowMs, share) =>
    fastMs <= longestMs &&
    slowMs <= longestMs &&
    share <= 1 &&
    ((nodes, seed) => mixedNetwork(nodes, seed, fastMs, slowMs, share)),
};
const forms = Object.keys(networks);

/** Names of the networks that a scenario can use, for errors and help. */
export const networkForms = `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)} with MS from 0 to ${longestMs}`;

/**
 * Reads the name of a network that a user typed.
 *
 * @param choices the supported names, for errors.
 * @throws RangeError with the label, the choices and the actual text.
 */
export function networkText(label: string, text: string, choices = networkForms): string {
  requireText('text', text);
  try {
    validateNetwork(text);
    return text;
  } catch {
    throw badChoice(label, [...new Set(forms.map(kindOf))], text, choices, kindOf(text));
  }
}

const kindOf = (name: string): string => name.split(':', 1)[0]!;

/** Returns whether a network's nodes are on machines, which several nodes may share. */
export function hasMachines(name: string): boolean {
  return kindOf(name) === 'aws-blocks';
}

/** Checks the name of a network. @throws RangeError for a name that matches none of the {@link networkForms}. */
export function validateNetwork(name: string): void {
  requireText('network', name);
  if (!registered.has(name)) makerOf(name);
}

/**
 * Creates the network with the given name and draws its jitter from the seed.
 *
 * @param tor share of the nodes that are behind Tor, in [0, 1].
 * @param jitter whether a latency varies from message to message.
 * @throws RangeError for an invalid name, see {@link networkForms}. @throws Error for a network whose table was not
 * loaded by `loadNetwork`.
 */
export function createNetwork(name: string, nodes: number, seed: number, tor = 0, jitter = true): NamedNetwork {
  requireText('network', name);
  const made = (registered.get(name) ?? makerOf(name))(nodes, seed);
  const network = jitter ? made : { ...made, ...withoutJitter(made.wayUs) };
  return tor === 0 ? network : behindTor(network, tor, nodes, seed);
}

function makerOf(name: string): MakeNetwork {
  const form = forms.find((one) => withoutNumbers(one) === withoutNumbers(name));
  const make = form !== undefined && networks[form]!(...name.split(/[:,]/).slice(1).map(plainNumber));
  if (make) return make;
  throw new RangeError(expected('network', networkForms, name));
}

const withoutNumbers = (name: string): string => name.replaceAll(/(?<=[:,])[^:,]+/g, '');

/** Reads a plain decimal; returns NaN for any other text. */
function plainNumber(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function constantNetwork(nodes: number, latencyMs: number): NamedNetwork {
  const latencyUs = Math.max(1, Math.round(latencyMs * 1000));
  return { regionNames: ['everywhere'], region: new Uint8Array(nodes), ...withoutJitter(() => latencyUs) };
}

/**
 * Creates the network `aws`: nodes spread evenly over the regions, by seed; a latency is half of a round trip (v1.03
 * appendix B), plus the internet's jitter.
 */
function awsNetwork(nodes: number, seed: number): NamedNetwork {
  const order = shuffle(nodes, seed, 'regions');
  const region = new Uint8Array(nodes);
  for (let node = 0; node < nodes; node++) region[node] = order[node]! % awsRegions.length;
  return networkOfRegions(region, seed);
}

/**
 * Creates a network of machines sorted by region. Ids are assigned to the machines in turn, round after round, as in
 * the published runs. A node's closest peers are therefore in its own region (v1.03 section 7.1).
 *
 * @param machines number of machines; machines beyond the number of nodes are not used. Default: half the number of
 * nodes, rounded up.
 */
function awsBlocksNetwork(nodes: number, seed: number, machines = Math.ceil(nodes / 2)): NamedNetwork {
  const used = Math.min(nodes, machines);
  const machine = Int32Array.from({ length: nodes }, (_, id) => id % used);
  const region = Uint8Array.from(machine, (one) => Math.floor((one * awsRegions.length) / used));
  return { ...networkOfRegions(region, seed), machine };
}

/** Creates a network with the AWS latencies between the given regions of the nodes. */
function networkOfRegions(region: Uint8Array, seed: number): NamedNetwork {
  const betweenUs = awsRegions.flatMap((_, a) => awsRegions.map((_, b) => awsOneWayUs(a, b)));
  return networkOfPlaces(awsRegions, region, Int32Array.from(betweenUs), seed);
}

/**
 * Creates a network of fast and slow nodes; the seed selects the slow ones. The one-way latency of a message is the
 * latency of the slower of its two nodes, without jitter. In v1.03 section 4.2.1, fast nodes need 5 dissemination
 * periods, and a fifth of the nodes needs 20.
 *
 * @param slowShare the share of slow nodes among all nodes; the count is rounded down.
 */
function mixedNetwork(nodes: number, seed: number, fastMs: number, slowMs: number, slowShare: number): NamedNetwork {
  const region = new Uint8Array(nodes);
  for (const id of shuffle(nodes, seed, 'slow').subarray(0, partOf(nodes, slowShare))) region[id] = 1;
  const endUs = [fastMs, slowMs].map((ms) => Math.max(1, Math.round(ms * 1000)));
  const latencies = withoutJitter((from, to) => Math.max(endUs[region[from]!]!, endUs[region[to]!]!));
  return { regionNames: ['fast', 'slow'], region, ...latencies };
}

/**
 * Regions of AWS with round trips in ms, assumed symmetrical (v1.03 appendix B, all eleven regions of its table). The
 * table's values are interpreted as round trips: a one-way latency is half of the value.
 */
export const awsRegions = [
  'Oregon',
  'Virginia',
  'Mumbai',
  'Seoul',
  'Singapore',
  'Sydney',
  'Tokyo',
  'Canada',
  'Frankfurt',
  'Ireland',
  'London',
] as const;

/** Round trips from region r to the regions after r, ms, row by row as in the appendix. */
const roundTripsMs: readonly (readonly number[])[] = [
  [81, 216, 126, 165, 138, 97, 64, 164, 131, 141],
  [182, 181, 232, 195, 167, 13, 88, 80, 75],
  [152, 62, 223, 123, 194, 111, 122, 113],
  [97, 133, 35, 184, 259, 254, 264],
  [169, 69, 218, 162, 174, 171],
  [105, 210, 282, 269, 271],
  [156, 235, 222, 234],
  [101, 78, 87],
  [24, 13],
  [12],
];

/** One-way latency within a region, µs; the appendix has no such value. */
const withinRegionUs = 1000;

/**
 * Returns the one-way latency between two regions without jitter, µs. Arguments are indices into {@link awsRegions}.
 */
export function awsOneWayUs(a: number, b: number): number {
  requireInteger('a', a, 0, awsRegions.length - 1);
  requireInteger('b', b, 0, awsRegions.length - 1);
  if (a === b) return withinRegionUs;
  const low = Math.min(a, b);
  return roundTripsMs[low]![Math.max(a, b) - low - 1]! * 500;
}

/** Creates a network for a number of nodes and a seed. */
export type MakeNetwork = (nodes: number, seed: number) => NamedNetwork;

/** Networks with a table of cities. Each of these networks is a separate module, which a page loads only if needed. */
const tables = {
  cities: async () => (await import('./citiesNetwork.ts')).citiesNetwork,
  'cities-by-distance': async () => (await import('./citiesByDistanceNetwork.ts')).citiesByDistanceNetwork,
} satisfies Readonly<Record<string, () => Promise<MakeNetwork>>>;

type TabledName = keyof typeof tables;

const loaded = new Map<string, MakeNetwork>();

/** Returns whether a network has a table of cities, which {@link loadNetwork} must load before a run. */
function isTabled(name: string): name is TabledName {
  return Object.hasOwn(tables, name);
}

const registered = new Map<string, MakeNetwork>();

/**
 * Name of a network that the calling program has read from a file: a prefix for the kind of latencies, and the file.
 */
export type FileNetwork = `${'file' | 'rtt' | 'shortest'}:${string}`;

/** Registers a network from a file for scenarios in this thread. */
export function registerNetwork(name: FileNetwork, make: MakeNetwork): void {
  registered.set(name, make);
}

/** Removes the network registered under the given name. */
export function unregisterNetwork(name: string): void {
  registered.delete(name);
}

/** Returns the constructor of a network with a table of cities. @throws Error if the table was not loaded. */
function loadedNetwork(name: TabledName): MakeNetwork {
  const make = loaded.get(name);
  if (make === undefined)
    throw new Error(`network: expected the table of ${name}, got none; call await loadNetwork('${name}') first`);
  return make;
}

/**
 * Loads the data of a network, once per thread: a table for `cities` (adds 50 kB to a page) or `cities-by-distance`
 * (10 kB), and nothing for any other network. Call this function before you run a scenario on one of these two.
 *
 * @throws RangeError for an invalid name, see `networkForms`.
 */
export async function loadNetwork(name: string): Promise<void> {
  validateNetwork(name);
  if (isTabled(name) && !loaded.has(name)) loaded.set(name, await tables[name]());
}
