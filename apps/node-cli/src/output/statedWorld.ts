/**
 * Settings of a study's results in words. Each text of `tutti slots`, `tutti horn` and `tutti lean` begins or ends with
 * them, and each document contains them as `world`.
 */
export interface StatedWorld {
  /** Name of the set of constants: a chain's profile, a voting system, or the post's assumptions. */
  readonly profile: string;
  readonly nodes: string;
  /** Cores of a node, and their machine. */
  readonly cores: string;
  /** Time at which votes or proofs are due or start. */
  readonly start: string;
  /** Model of latencies. */
  readonly network: string;
  /** Bandwidth of the nodes' links. */
  readonly links: string;
  /** Seeds over which the results are summarised; empty if nothing is drawn. */
  readonly seeds: readonly number[];
  /** Further conditions, each in a few words. */
  readonly also?: readonly string[];
}

/** Names of the fields that every description contains. */
export const worldFields = ['profile', 'nodes', 'cores', 'start', 'network', 'links', 'seeds'] as const;

/** Returns one line with all fields. */
export function worldLine({ also = [], ...world }: StatedWorld): string {
  const fields = worldFields.map((name) => (name === 'seeds' ? seedsText(world.seeds) : `${name} ${world[name]}`));
  return `${[...fields.slice(0, -1), ...also, fields.at(-1)].join('; ')}.`;
}

/** Returns consecutive seeds in words. */
export function seedsText(seeds: readonly number[]): string {
  if (seeds.length === 0) return 'seeds none';
  return seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`;
}
