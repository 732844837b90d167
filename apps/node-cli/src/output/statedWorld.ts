import { grouped, seedsText } from './text.ts';

/**
 * Settings behind a study's results, in words. Each text of `tutti slots`, `tutti horn` and `tutti lean` begins or ends
 * with these settings, and each document contains them as `world`.
 */
export interface StatedWorld {
  /** Name of the set of constants: a chain's profile, a voting system, or the post's assumptions. */
  readonly profile: string;
  readonly nodes: string;
  /** Number of cores per node, and the machine that they belong to. */
  readonly cores: string;
  /** Time at which votes or proofs are due or started. */
  readonly start: string;
  /** Latency model. */
  readonly network: string;
  /** Bandwidth of the nodes' links. */
  readonly links: string;
  /** Seeds over which the results are summarised; empty if nothing is random. */
  readonly seeds: readonly number[];
  /** Further conditions, each in a few words. */
  readonly also?: readonly string[];
}

/** Names of the fields that every description of settings contains. */
export const worldFields = ['profile', 'nodes', 'cores', 'start', 'network', 'links', 'seeds'] as const;

/** Returns one line with all settings. */
export function worldLine({ also = [], ...world }: StatedWorld): string {
  const fields = worldFields.map((name) => (name === 'seeds' ? seedsText(world.seeds) : `${name} ${world[name]}`));
  return `${[...fields.slice(0, -1), ...also, fields.at(-1)].join('; ')}.`;
}

/** Settings of a slot under the post's assumptions. */
interface PostSettings {
  readonly validators: number;
  readonly machine: string;
  /** Name of the network model. Default: no network is simulated. */
  readonly network?: string;
  /** Time at which votes are sent, ms since the slot began. Default: no slot is simulated. */
  readonly attestMs?: number;
  readonly seeds: readonly number[];
  readonly also?: readonly string[];
}

/**
 * Describes the settings of results under the post's assumptions: one node per validator, and links with unlimited
 * bandwidth.
 */
export function postWorld({ validators, machine, network, attestMs, seeds, also }: PostSettings): StatedWorld {
  return {
    profile: "the post's (Horn, Kadianakis and D'Amato)",
    nodes: `${grouped(validators)}, one per validator`,
    cores: machine,
    start: attestMs === undefined ? 'no slot is simulated' : `votes at ${grouped(attestMs)} ms`,
    network: network ?? 'not simulated',
    links: network === undefined ? 'not simulated' : 'a delay each, without bandwidth',
    seeds,
    ...(also !== undefined && { also }),
  };
}
