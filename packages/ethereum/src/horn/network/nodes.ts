import { RandomStream, shuffle } from '@tutti/core';
import {
  durations,
  expected,
  factors,
  requireArray,
  requireIn,
  requireInteger,
  requireObject,
  shares,
} from '@tutti/core/input';

/**
 * Distributions of validators over beacon nodes.
 *
 * - `one-each`: one node per validator, as in the post.
 * - `uniform`: every node has the same number, plus or minus one.
 * - `heavy-tailed`: a truncated Pareto distribution that fits two numbers from a secondary source, see
 *   {@link heavyTail}; the remaining nodes have no validators.
 */
export const nodeDistributions = ['one-each', 'uniform', 'heavy-tailed'] as const;
/** Name of one of {@link nodeDistributions}. */
export type NodeDistribution = (typeof nodeDistributions)[number];

/**
 * Known numbers about validators per node. Heimbach et al. ("Deanonymizing Ethereum Validators", arXiv:2409.04366)
 * located more than 15 % of all validators on peers. Only the abstract of that paper was read. These two numbers come
 * from notes on its authors' talk, a secondary source: about 30 % of the nodes with validators have more than 100, and
 * the largest has 19,000.
 */
export const heavyTail = { overHundred: 0.3, largest: 19_000 } as const;

/** Exponent for which a share of `overHundred` of the hosts has more than 100 validators, before truncation. */
const tailExponent = -Math.log(heavyTail.overHundred) / Math.log(100);

/** Assignment of validators to nodes. */
export interface NodeMap {
  /** Number of validators of each node. */
  readonly validators: Int32Array;
  /** Node of each validator. Validators of one node are consecutive. */
  readonly nodeOf: Int32Array;
}

/**
 * Distributes validators over nodes. A seed determines which nodes are large.
 *
 * @param nodes 1 to 2^20; for `one-each` the number of validators.
 * @throws RangeError if a count is out of range, or if `one-each` is used with different counts of nodes and
 * validators.
 */
export function mapNodes(distribution: NodeDistribution, validators: number, nodes: number, seed: number): NodeMap {
  requireInteger('validators', validators, 1, 2 ** 20);
  requireInteger('nodes', nodes, 1, 2 ** 20);
  if (distribution === 'one-each' && nodes !== validators) {
    throw new RangeError(expected('nodes', `as many as validators, ${validators}, where each has its own`, nodes));
  }
  const counts = distribution === 'heavy-tailed' ? heavyTailed(validators, nodes) : evenly(validators, nodes);
  const order = shuffle(nodes, seed, 'validators of nodes');
  const of = new Int32Array(nodes);
  order.forEach((node, rank) => {
    of[node] = counts[rank]!;
  });
  const nodeOf = new Int32Array(validators);
  let next = 0;
  for (let node = 0; node < nodes; node++) {
    nodeOf.fill(node, next, next + of[node]!);
    next += of[node]!;
  }
  return { validators: of, nodeOf };
}

function evenly(total: number, parts: number): Int32Array {
  return Int32Array.from(
    { length: parts },
    (_, part) => Math.floor(((part + 1) * total) / parts) - Math.floor((part * total) / parts),
  );
}

/**
 * Returns the numbers of validators per node, the largest first. The numbers are quantiles of the distribution, for the
 * number of nodes at which the quantiles sum to about the number of validators.
 */
function heavyTailed(validators: number, nodes: number): Int32Array {
  let hosts = 1;
  let shape = quantiles(hosts);
  let sum = shape[0]!;
  while (sum < validators && hosts < nodes) {
    hosts = Math.min(nodes, Math.max(hosts + 1, Math.round(hosts * 1.02)));
    shape = quantiles(hosts);
    sum = shape.reduce((all, one) => all + one, 0);
  }
  const scale = validators / sum;
  const counts = new Int32Array(nodes);
  let left = validators;
  for (let rank = 0; rank < hosts; rank++) {
    counts[rank] = Math.max(1, Math.min(left - (hosts - 1 - rank), Math.round(shape[rank]! * scale)));
    left -= counts[rank]!;
  }
  // The largest node absorbs the rounding error.
  counts[0]! += left;
  return counts;
}

function quantiles(hosts: number): Float64Array {
  const cut = heavyTail.largest ** -tailExponent;
  return Float64Array.from({ length: hosts }, (_, rank) => {
    const above = cut + (1 - cut) * ((rank + 0.5) / hosts);
    return above ** (-1 / tailExponent);
  });
}

/** A class of nodes with equal links. */
export interface LinkClass {
  readonly name: string;
  /** Share of all nodes. */
  readonly share: number;
  /** Download rate, Mbit/s (10^6 bits per second). `upMbps` is the upload rate. */
  readonly downMbps: number;
  readonly upMbps: number;
}

/**
 * Links by class of node. `home` is EIP-7870's recommendation for attesters, `full-node` the one for nodes that only
 * follow the chain. The shares of gigabit links and other links come from the simulations that the EIP reports (40 %
 * and 60 %; the other links had 15 Mbit/s of upload). The distribution in the real network is unknown.
 */
export const linkPresets = {
  'eip-7870': [
    { name: 'home', share: 0.6, downMbps: 50, upMbps: 25 },
    { name: 'datacenter', share: 0.4, downMbps: 1000, upMbps: 1000 },
  ],
  'eip-7870-least': [
    { name: 'home', share: 0.6, downMbps: 50, upMbps: 15 },
    { name: 'datacenter', share: 0.4, downMbps: 1000, upMbps: 1000 },
  ],
  home: [{ name: 'home', share: 1, downMbps: 50, upMbps: 25 }],
  gigabit: [{ name: 'datacenter', share: 1, downMbps: 1000, upMbps: 1000 }],
  unlimited: [{ name: 'unlimited', share: 1, downMbps: 1e6, upMbps: 1e6 }],
} as const satisfies Record<string, readonly LinkClass[]>;
/** Name of a preset in {@link linkPresets}. */
export type LinkPreset = keyof typeof linkPresets;
/** Names of all link presets. */
export const linkPresetNames = Object.keys(linkPresets) as readonly LinkPreset[];

/** Range of rates, Mbit/s. */
export const bandwidths = factors(0.001, 1e6);

/** Checks classes. @throws RangeError unless the shares sum to 1 and every rate is in range. */
export function validateLinkClasses(classes: readonly LinkClass[]): void {
  requireArray('links', classes);
  // The class of a node is an 8-bit integer.
  requireInteger('number of link classes', classes.length, 1, 256);
  for (const one of classes) {
    requireObject('links', one);
    const { name, share, downMbps, upMbps } = one;
    requireIn(`share of ${name}`, share, shares);
    requireIn(`downMbps of ${name}`, downMbps, bandwidths);
    requireIn(`upMbps of ${name}`, upMbps, bandwidths);
  }
  const sum = classes.reduce((all, { share }) => all + share, 0);
  if (Math.abs(sum - 1) > 1e-9) throw new RangeError(expected('shares of link classes together', '1', sum));
}

/**
 * Returns the class of each node, with exact shares. Nodes with more validators get the classes with higher upload
 * rates. The assumption is that an operator of hundreds of validators rents a fast link for them. Ties are broken by
 * the given order of nodes.
 */
export function classifyNodes(classes: readonly LinkClass[], validators: Int32Array, order: Int32Array): Uint8Array {
  const bySize = [...order].sort((a, b) => validators[b]! - validators[a]!);
  const byUpload = classes.map((_, index) => index).sort((a, b) => classes[b]!.upMbps - classes[a]!.upMbps);
  const of = new Uint8Array(validators.length);
  let share = 0;
  let rank = 0;
  for (const index of byUpload) {
    share += classes[index]!.share;
    const end = Math.round(share * of.length);
    for (; rank < end; rank++) of[bySize[rank]!] = index;
  }
  return of;
}

/** Converts a rate in Mbit/s to bytes per µs. */
export function bytesPerUs(mbps: number): number {
  return mbps / 8;
}

/** Share of the nodes that vote with a delay, and the range of the delay. */
export interface LateShare {
  /** Share of all nodes. All validators of a node have the same delay. */
  readonly share: number;
  /** Minimum delay, ms. The delay is uniform between this value and `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Times at which validators vote. Voting times depend on operators, not on the network, so they are an input. */
export interface Lateness {
  /** Share of the nodes that vote as soon as they have processed the slot's block, if this is before votes are due. */
  readonly headShare: number;
  /**
   * Median time at which nodes have processed the slot's block, ms since the slot began; greater than 0 if `headShare`
   * is greater than 0.
   */
  readonly headMs: number;
  /**
   * 99th percentile of the time at which nodes have processed the slot's block, ms since the slot began. The
   * distribution over nodes is log-normal. In reality, processing times vary from slot to slot; the model draws this
   * variation per node.
   */
  readonly headP99Ms: number;
  /** Additional delays, each for a share of the nodes. The remaining nodes have no delay. */
  readonly late: readonly LateShare[];
}

/** Lateness with which all validators vote when votes are due. */
export const onTime: Lateness = { headShare: 0, headMs: 0, headP99Ms: 0, late: [] };

const delays = durations(0, 60_000);

/** Checks a lateness. @throws RangeError that names the field; TypeError for a value that is not a lateness. */
export function validateLateness(lateness: Lateness): void {
  requireObject('lateness', lateness);
  requireIn('lateness.headShare', lateness.headShare, shares);
  requireIn('lateness.headMs', lateness.headMs, delays);
  if (lateness.headShare > 0 && lateness.headMs === 0)
    throw new RangeError(expected('lateness.headMs', 'over 0 if headShare is over 0', lateness.headMs));
  requireIn('lateness.headP99Ms', lateness.headP99Ms, { ...delays, min: lateness.headMs });
  requireArray('lateness.late', lateness.late);
  for (const one of lateness.late) {
    requireObject('lateness.late', one);
    requireIn('share of lateness.late', one.share, shares);
    requireIn('fromMs of lateness.late', one.fromMs, delays);
    requireIn('toMs of lateness.late', one.toMs, { ...delays, min: one.fromMs });
  }
  const all = lateness.late.reduce((sum, { share }) => sum + share, 0);
  if (all > 1 + 1e-9) throw new RangeError(expected('shares of lateness.late together', 'at most 1', all));
}

/** The 99th percentile of a standard normal distribution. */
const z99 = 2.326;

/**
 * Returns the time at which each node casts its votes, µs since the slot began. All validators of a node vote together,
 * because they share one head and one operator.
 *
 * @param nodes number of nodes, with or without validators. @param dueUs time at which votes are due.
 */
export function voteTimes(
  { headShare, headMs, headP99Ms, late }: Lateness,
  nodes: number,
  dueUs: number,
  seed: number,
): Int32Array {
  const times = new Int32Array(nodes).fill(dueUs);
  if (headShare === 0 && late.length === 0) return times;
  const random = new RandomStream(seed, 'lateness');
  const order = shuffle(nodes, seed, 'nodes that vote at the head');
  const early = Math.round(headShare * nodes);
  const sigma = early === 0 ? 0 : Math.log(headP99Ms / headMs) / z99;
  order.forEach((node, rank) => {
    if (rank < early) times[node] = Math.min(dueUs, Math.round(1000 * headMs * Math.exp(sigma * normal(random))));
    times[node]! += lateUs(late, random);
  });
  return times;
}

function lateUs(late: readonly LateShare[], random: RandomStream): number {
  let left = random.nextUnit();
  for (const { share, fromMs, toMs } of late) {
    if (left < share) return Math.round(1000 * (fromMs + (left / share) * (toMs - fromMs)));
    left -= share;
  }
  return 0;
}

/** Draws a normal variate (Box and Muller). */
function normal(random: RandomStream): number {
  return Math.sqrt(-2 * Math.log(1 - random.nextUnit())) * Math.cos(2 * Math.PI * random.nextUnit());
}
