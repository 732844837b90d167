import {
  decodeScenario,
  encodeScenario,
  type LinkedScenario,
  linkedScenario,
  type ProtocolName,
  protocolNames,
  type Scenario,
  scenarioArguments,
} from '@tutti/simulation';
import { figure } from '../numberWords.ts';
import { isToEveryone } from '../timeline/runIndex.ts';
import { type BetweenView, betweenViews } from '../views/betweenViews.ts';
import { seeds, within } from './within.ts';

/** Everything that a link to this page says: the run, and where in it one looks. */
export interface PageState {
  readonly scenario: Scenario;
  /** The node whose point of view is drawn. */
  readonly node: number;
  /** Undefined: from the beginning, playing. */
  readonly timeUs: number | undefined;
  /** How events between the nodes are shown. */
  readonly between: BetweenView;
  /** Protocols whose runs of the same scenario are shown beside this one. */
  readonly beside: readonly ProtocolName[];
}

export const limits = {
  nodes: { min: 8, max: 131_072 },
  /** For protocols that send every contribution to everyone separately: work and memory grow with the square. */
  nodesToEveryone: 2048,
  /** Beyond this a run with real signatures takes a browser minutes. */
  blsNodes: 1024,
  /** Where some are dead or Byzantine what nodes hold is seldom a whole subtree: at this size, a fifth dead, a tab takes 1.1 GB at most. */
  deadNodes: 65_536,
  dead: { min: 0, max: 0.49 },
  /** Of one attack. */
  byzantine: { min: 0.01, max: 0.49 },
  constantMs: { min: 0, max: 2000 },
  seed: seeds,
} as const;

/** How many nodes a page plays of a protocol. */
export function mostNodesOf(protocol: ProtocolName): number {
  return isToEveryone(protocol) ? limits.nodesToEveryone : limits.nodes.max;
}

export const firstState: PageState = {
  scenario: linkedScenario,
  node: 0,
  timeUs: undefined,
  between: 'tree',
  beside: [],
};

/** What a link contains in addition to the scenario. */
const viewParameters = ['node', 't', 'ring', 'view', 'beside'];

/** The part of the address after `#`, without it: everything that a scenario holds, and where in the run one looks. */
export function encodeState(state: PageState): string {
  const fields = encodeScenario(state.scenario);
  fields.push(['node', String(state.node)]);
  if (state.timeUs !== undefined) fields.push(['t', String(state.timeUs / 1000)]);
  // A link from when there was only the ring names its order.
  if (state.between === 'region') fields.push(['ring', state.between]);
  else if (state.between !== firstState.between) fields.push(['view', state.between]);
  if (state.beside.length > 0) fields.push(['beside', state.beside.join(',')]);
  // A colon, a comma and a slash need no escape behind the #, and links are read by people.
  return new URLSearchParams(fields).toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
}

/** A link as it was read. */
export interface ReadState extends PageState {
  /** One line for each thing in the link that could not be honoured, with what is used instead. */
  readonly notices: readonly string[];
}

/** Reads a link, which anyone may have written by hand. What is missing is as on a first visit. */
export function decodeState(hash: string): ReadState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const read = decodeScenario(fields, viewParameters);
  const { scenario, notices } = shownScenario(read.scenario);
  const timeMs = fields.get('t');
  return {
    scenario,
    node: Math.round(within(fields.get('node'), { min: 0, max: scenario.nodes - 1 }, firstState.node)),
    timeUs: timeMs === null ? undefined : Math.round(within(timeMs, { min: 0, max: 2 ** 31 / 1000 }, 0) * 1000),
    between:
      fields.get('ring') === 'region'
        ? 'region'
        : (betweenViews.find((view) => view === fields.get('view')) ?? firstState.between),
    beside: protocolNames.filter((name) => fields.get('beside')?.split(',').includes(name)),
    notices: [...read.notices, ...notices, ...viewNotices(fields, scenario.nodes)],
  };
}

/** What of a link says where in a run of so many nodes one looks, and cannot be had. */
function viewNotices(fields: URLSearchParams, nodes: number): string[] {
  const last = nodes - 1;
  const isWithin = (value: string, most: number) => value.trim() !== '' && Number(value) >= 0 && Number(value) <= most;
  const isNode = (value: string) => isWithin(value, last) && Number.isInteger(Number(value));
  const oneOf = (...names: readonly string[]) =>
    [names.join(' or '), (value: string) => names.includes(value)] as const;
  const areProtocols = (value: string) => value.split(',').every((name) => protocolNames.some((one) => one === name));
  const expected = {
    node: [`a node from 0 to ${figure(last)}`, isNode],
    t: ['a moment in ms, from 0 on', (value: string) => isWithin(value, Number.MAX_VALUE)],
    ring: oneOf('tree', 'region'),
    view: oneOf(...betweenViews),
    beside: [protocolNames.join(', '), areProtocols],
  } as const;
  return Object.entries(expected).flatMap(([name, [words, takes]]) => {
    const value = fields.get(name);
    return value === null || takes(value) ? [] : [`${name}: expected ${words}, got "${value.slice(0, 40)}"`];
  });
}

/** The nearest scenario that a page can play. */
function shownScenario(asked: Scenario): LinkedScenario {
  const notices: string[] = [];
  let scenario = asked;
  // A link for more than a page plays gets the first visit's size: the most that it plays takes most of a minute,
  // unasked.
  const most = mostNodesOf(asked.protocol);
  const nodes = asked.nodes > most ? linkedScenario.nodes : Math.max(limits.nodes.min, asked.nodes);
  if (nodes !== asked.nodes) {
    const of = most < limits.nodes.max ? ` of ${asked.protocol}` : '';
    notices.push(
      `n: a page plays ${figure(limits.nodes.min)} to ${figure(most)} nodes${of}; ${figure(nodes)} is taken`,
    );
    scenario = { ...scenario, nodes };
  }
  if (scenario.scheme === 'bls' && nodes > limits.blsNodes) {
    notices.push(`scheme: real signatures for up to ${figure(limits.blsNodes)} nodes; counting is taken`);
    scenario = { ...scenario, scheme: 'counting' };
  }
  if (nodes > limits.deadNodes && (scenario.dead > 0 || scenario.attacks.length > 0)) {
    notices.push(
      `dead, attack: for up to ${figure(limits.deadNodes)} nodes in a page; everybody lives and is honest instead`,
    );
    scenario = { ...scenario, dead: 0, attacks: [] };
  }
  // Faults name ids, and there may be fewer nodes now.
  return nodes < asked.nodes ? { scenario: { ...scenario, faults: [] }, notices } : { scenario, notices };
}

/** Does a part of an address speak of a run, or is it an anchor of the page? */
export function isStateLink(hash: string): boolean {
  return hash.includes('=');
}

/** Two links to the same run, wherever in it they look? */
export function sameRun(a: Scenario, b: Scenario): boolean {
  return (Object.keys(a) as (keyof Scenario)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

/** The command that makes the same run in a terminal, with the same digest. */
export function command(scenario: Scenario): string {
  const words = scenarioArguments(scenario).map((word) => (/^[\w.:,-]+$/.test(word) ? word : `'${word}'`));
  return `npx tutti simulate ${words.join(' ')}`;
}
