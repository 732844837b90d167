import { attackNamed, defaultScenario, type Scenario } from '@tutti/core';

/** Everything that a link to this page says: the run, and where in it one looks. */
export interface PageState {
  readonly scenario: Scenario;
  /** The node whose point of view is drawn. */
  readonly node: number;
  /** Undefined: from the beginning, playing. */
  readonly timeUs: number | undefined;
  readonly order: RingOrder;
}

/** How nodes are placed on the ring. */
export type RingOrder = 'tree' | 'region';

export const limits = {
  nodes: { min: 8, max: 131_072 },
  /** Beyond this a run with real signatures takes a browser minutes. */
  blsNodes: 128,
  /** Beyond this what nodes hold is seldom a whole subtree when some are dead or Byzantine, and all the sets take more memory than a tab has. */
  deadNodes: 32_768,
  dead: { min: 0, max: 0.49 },
  /** Of one attack. */
  byzantine: { min: 0.01, max: 0.49 },
  constantMs: { min: 0, max: 2000 },
  seed: { min: 0, max: 2 ** 32 - 1 },
} as const;

export const firstState: PageState = {
  scenario: { ...defaultScenario, nodes: 64, scheme: 'bls' },
  node: 0,
  timeUs: undefined,
  order: 'tree',
};

/** The part of the address after `#`, without it. Only what a reader could have chosen is in it. */
export function encodeState(state: PageState): string {
  const { nodes, scheme, network, dead, seed, attacks } = state.scenario;
  const fields = [`n=${nodes}`, `scheme=${scheme}`, `network=${network}`, `dead=${dead}`, `seed=${seed}`];
  for (const { name, share } of attacks) fields.push(`attack=${name}:${share}`);
  fields.push(`node=${state.node}`);
  if (state.timeUs !== undefined) fields.push(`t=${state.timeUs / 1000}`);
  if (state.order !== firstState.order) fields.push(`ring=${state.order}`);
  return fields.join('&');
}

/**
 * Reads a link, which anyone may have written by hand: what is missing is as on a first visit, what is out of its range is
 * brought into it, and what makes no sense is passed over.
 */
export function decodeState(hash: string): PageState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const first = firstState.scenario;
  const nodes = integer(fields.get('n'), limits.nodes, first.nodes);
  const scheme = fields.get('scheme') === 'counting' ? 'counting' : first.scheme;
  const scenario: Scenario = {
    ...first,
    nodes,
    scheme: nodes > limits.blsNodes ? 'counting' : scheme,
    network: readNetwork(fields.get('network')) ?? first.network,
    dead: nodes > limits.deadNodes ? 0 : Math.round(number(fields.get('dead'), limits.dead, first.dead) * 100) / 100,
    seed: integer(fields.get('seed'), limits.seed, first.seed),
    attacks: nodes > limits.deadNodes ? [] : readAttack(fields.get('attack')),
  };
  const timeMs = fields.get('t');
  return {
    scenario,
    node: integer(fields.get('node'), { min: 0, max: nodes - 1 }, firstState.node),
    timeUs: timeMs === null ? undefined : Math.round(number(timeMs, { min: 0, max: 2 ** 31 / 1000 }, 0) * 1000),
    order: fields.get('ring') === 'region' ? 'region' : 'tree',
  };
}

function readNetwork(text: string | null): string | undefined {
  if (text === 'aws' || text === 'cities' || text === 'distance') return text;
  const constant = /^constant:(\d+)$/.exec(text ?? '');
  return constant ? `constant:${integer(constant[1]!, limits.constantMs, 0)}` : undefined;
}

/** One attack at most, as the page offers; where some are dead, both shares together leave somebody honest. */
function readAttack(text: string | null): Scenario['attacks'] {
  const [name, share] = (text ?? '').split(':') as [string, string?];
  if (!attackNamed(name)?.against.includes('handel')) return [];
  return [{ name, share: Math.round(number(share ?? null, limits.byzantine, 0.3) * 100) / 100 }];
}

function number(text: string | null, range: { min: number; max: number }, otherwise: number): number {
  const read = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(read) ? Math.min(Math.max(read, range.min), range.max) : otherwise;
}

function integer(text: string | null, range: { min: number; max: number }, otherwise: number): number {
  return Math.round(number(text, range, otherwise));
}

/** Does a part of an address speak of a run, or is it an anchor of the page? */
export function isStateLink(hash: string): boolean {
  return hash.includes('=');
}

/** Two links to the same run, wherever in it they look? */
export function sameRun(a: Scenario, b: Scenario): boolean {
  return (Object.keys(a) as (keyof Scenario)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

/** What only a run from a file can have other than by default. */
const onlyOpened: readonly (readonly [keyof Scenario, flag: string])[] = [
  ['desyncMs', '--desync'],
  ['periodMs', '--period'],
  ['levelStartMs', '--level-start'],
  ['fastPath', '--fast-path'],
  ['verifyMs', '--verify-ms'],
  ['priorities', '--priorities'],
];

/** The command that makes the same run in a terminal, with the same digest. */
export function command(scenario: Scenario): string {
  const { protocol, nodes, threshold, network, dead, scheme, seed } = scenario;
  const others = onlyOpened.filter(([field]) => scenario[field] !== defaultScenario[field]);
  const attacks = scenario.attacks.map(({ name, share }) => `--attack ${name}:${share}`);
  return [
    `npx tutti simulate --protocol ${protocol}`,
    `--nodes ${nodes} --threshold ${threshold} --network ${network}`,
    `--dead ${dead} --scheme ${scheme} --seed ${seed}`,
    ...attacks,
    ...scenario.without.map((mechanism) => `--without ${mechanism}`),
    ...others.map(([field, flag]) => `${flag} ${scenario[field]}`),
  ].join(' ');
}
