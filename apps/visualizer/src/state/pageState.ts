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
import { count } from '../formatNumber.ts';
import { choice, Fields, linkOf, moment, parametersOf, seeds, whole, words } from '../links/fields.ts';
import { type EditedRules, ruleFields, unedited } from '../rules/editedRules.ts';
import { isToEveryone } from '../timeline/runIndex.ts';

/** Views of events between the nodes: on a ring in tree order or by region, on the globe, or level by level. */
export const betweenViews = ['tree', 'region', 'map', 'levels'] as const;
/** Name of a view of events between the nodes. */
export type BetweenView = (typeof betweenViews)[number];

/** Content of a link to this page: the run and the position in the run. */
export interface PageState {
  readonly scenario: Scenario;
  /** Node from whose point of view the run is drawn. */
  readonly node: number;
  /** Time of the clock, µs; undefined if the run plays from the beginning. */
  readonly timeUs: number | undefined;
  /** View of events between the nodes. */
  readonly between: BetweenView;
  /** Protocols that are compared with this run in the same scenario. */
  readonly compare: readonly ProtocolName[];
  /** Rules of Handel that the reader has changed; the changed run is compared with this run. */
  readonly edited: EditedRules;
}

/** Ranges and maximum values of the settings in a page. */
export const limits = {
  nodes: { min: 8, max: 131_072 },
  /**
   * Maximum for protocols that send every contribution to every node, because work and memory grow with the square of
   * this number.
   */
  nodesToEveryone: 2048,
  /**
   * Maximum number of nodes with real signatures. With more nodes, a run with real signatures takes minutes in a
   * browser.
   */
  blsNodes: 1024,
  /**
   * Maximum number of nodes in runs with dead or Byzantine nodes. In these runs, nodes seldom hold all contributions of
   * a subtree, so a tab needs more memory: at most 1.1 GB with this number of nodes if a fifth of them are dead.
   */
  deadNodes: 65_536,
  dead: { min: 0, max: 0.49 },
  /** Range of the share of Byzantine nodes for one attack. */
  byzantine: { min: 0.01, max: 0.49 },
  constantMs: { min: 0, max: 2000 },
  seed: seeds,
} as const;

/** Virtual time after which a page stops a run that is still in progress, ms. */
export const giveUpAfterMs = 60_000;

/** Returns the maximum number of nodes with which a page simulates a protocol. */
export function maxNodesOf(protocol: ProtocolName): number {
  return isToEveryone(protocol) ? limits.nodesToEveryone : limits.nodes.max;
}

/** State of a first visit, without a link. */
export const firstState: PageState = {
  scenario: linkedScenario,
  node: 0,
  timeUs: undefined,
  between: 'tree',
  compare: [],
  edited: unedited,
};

const protocols = words<ProtocolName>(protocolNames, [], { min: 1, max: protocolNames.length });
const inOrder = (chosen: readonly ProtocolName[] | undefined) =>
  chosen && protocolNames.filter((name) => chosen.includes(name));

/** Returns the fields of a link in addition to the scenario: the position in a run with a given number of nodes. */
const viewFields = (nodes: number) =>
  new Fields({
    node: whole({ min: 0, max: nodes - 1 }, firstState.node),
    timeUs: moment,
    // The link encodes the view `region` as the order of nodes on the ring, as older links do.
    ring: choice(['tree', 'region'], 'tree'),
    view: choice(betweenViews, firstState.between),
    compare: {
      formerName: 'beside',
      ...protocols,
      read: (text: string) => inOrder(protocols.read(text)),
      nearest: (text: string) => inOrder(protocols.nearest!(text)),
      write: (value: readonly ProtocolName[]) => protocols.write(value) || undefined,
    },
  });

const rules = new Fields(ruleFields);

const viewNames = [...viewFields(1).names, 'beside', ...rules.names];

/** Returns the fragment of a link, without `#`: the whole scenario, and the position in the run. */
export function encodeState({ scenario, node, timeUs, between, compare, edited }: PageState): string {
  const isRegion = between === 'region';
  const view = {
    node,
    timeUs,
    ring: isRegion ? between : 'tree',
    view: isRegion ? firstState.between : between,
    compare,
  };
  const [named, ...others] = viewFields(scenario.nodes).parameters(view, true);
  const shown = others.filter(([name, text]) => (name !== 'ring' && name !== 'view') || text !== 'tree');
  return linkOf([...encodeScenario(scenario), named!, ...shown, ...rules.parameters(edited)]);
}

/** Result of reading a link. */
interface ReadState extends PageState {
  /** Notices, one line per rejected part of the link, each with the value used instead. */
  readonly notices: readonly string[];
}

/**
 * Parses a link from an untrusted source. Missing parts get the values of a first visit.
 *
 * @param maxNodes maximum number of nodes, in addition to the maximum of the link's protocol.
 */
export function decodeState(hash: string, maxNodes: number = limits.nodes.max): ReadState {
  const link = parametersOf(hash);
  const read = decodeScenario(link, viewNames);
  const { scenario, notices } = shownScenario(read.scenario, maxNodes);
  const looked = viewFields(scenario.nodes).read(link, [...link.keys()]);
  const { node, timeUs, ring, view, compare } = looked.values;
  const { values: edited, notices: ofRules } = rules.read(link, [...link.keys()]);
  return {
    scenario,
    node,
    timeUs,
    between: ring === 'region' ? ring : view,
    compare,
    edited,
    notices: [...read.notices, ...notices, ...looked.notices, ...ofRules],
  };
}

/** Returns a scenario that the page can simulate, with a notice for each replaced setting. */
function shownScenario(asked: Scenario, maxNodes: number): LinkedScenario {
  const notices: string[] = [];
  let scenario = asked;
  // A link that exceeds the page's limits gets the number of nodes of a first visit. With the maximum number of nodes,
  // the run would take most of a minute, although the user did not request this number.
  const maxOfProtocol = maxNodesOf(asked.protocol);
  const max = Math.min(maxNodes, maxOfProtocol);
  const nodes = asked.nodes > max ? linkedScenario.nodes : Math.max(limits.nodes.min, asked.nodes);
  if (nodes !== asked.nodes) {
    const of = max === maxOfProtocol && max < limits.nodes.max ? ` of ${asked.protocol}` : '';
    notices.push(
      `n: expected ${count(limits.nodes.min)} to ${count(max)} nodes${of}, got ${count(asked.nodes)}; ${count(nodes)} is used`,
    );
    scenario = { ...scenario, nodes };
  }
  if (scenario.scheme === 'bls' && nodes > limits.blsNodes) {
    notices.push(
      `scheme: real signatures are not available on this page for more than ${count(limits.blsNodes)} nodes, so this run uses the counting scheme`,
    );
    scenario = { ...scenario, scheme: 'counting' };
  }
  if (nodes > limits.deadNodes && (scenario.dead > 0 || scenario.attacks.length > 0)) {
    notices.push(
      `dead, attack: not available on this page for more than ${count(limits.deadNodes)} nodes, so all nodes in this run are live and honest`,
    );
    scenario = { ...scenario, dead: 0, attacks: [] };
  }
  if (nodes < asked.nodes && scenario.faults.length > 0) {
    notices.push('fault: left out, because the smaller run might not contain the nodes that the faults affect');
    scenario = { ...scenario, faults: [] };
  }
  return { scenario, notices };
}

/** Returns whether a fragment is a link to a run and not an anchor of the page. */
export function isStateLink(hash: string): boolean {
  return hash.includes('=');
}

/** Returns whether two scenarios describe the same run. */
export function sameRun(a: Scenario, b: Scenario): boolean {
  return (Object.keys(a) as (keyof Scenario)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

/** Returns the command that simulates the same run in a terminal, with the same digest. */
export function command(scenario: Scenario): string {
  const words = scenarioArguments(scenario).map((word) => (/^[\w.:,-]+$/.test(word) ? word : `'${word}'`));
  return `npx tutti simulate ${words.join(' ')}`;
}
