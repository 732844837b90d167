import {
  type Branching,
  branchings,
  largestBatch,
  type Mechanism,
  mechanisms,
  type TreeForm,
  treeForms,
} from '@tutti/core';
import {
  expected,
  requireArray,
  requireFieldsOf,
  requireInteger,
  requireNumber,
  requireObject,
  requireThreshold,
} from '@tutti/core/internal';
import { type ExhaustedRule, exhaustedRules, type GraphVerification, graphVerifications } from '@tutti/core/protocols';
import { acrossLevels } from '../attacks/acrossLevels.ts';
import { attackNamed, attacks } from '../attacks/attacks.ts';
import { readPlan } from '../attacks/plan.ts';
import type { CpuSettings } from '../engine/cpu.ts';
import { hasMachines, networkForms } from '../engine/network/network.ts';
import { type ReferenceQuirk, referenceQuirks } from '../quirks/referenceQuirks.ts';
import { checkFaults } from './checkFaults.ts';
import type { Fault } from './faultPlan.ts';

export const protocolNames = ['handel', 'complete-graph', 'san-fermin', 'gossip'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/** A share of the nodes that are Byzantine, and how they behave. */
export interface AttackShare {
  /** The name of an attack. */
  readonly name: string;
  /** Of all nodes, in [0, 1); the count is rounded down. */
  readonly share: number;
  /**
   * Where its nodes are, what they send on each level and when, if the attack lets that be chosen: see {@link readPlan}.
   */
  readonly plan?: string;
}

/** Settings of San Fermín alone. */
export interface SanFerminSettings {
  /** Candidates asked at a time. */
  readonly candidates: number;
  /** How long an answer is waited for before the next candidates are asked, ms. */
  readonly replyTimeoutMs: number;
  /** Whether a node that has asked all of a level in vain leaves it, or waits there for what comes later. */
  readonly exhausted: ExhaustedRule;
}

/** Settings of the complete graph alone. */
export interface CompleteGraphSettings {
  /** Whether each contribution is verified singly, or all in bulk. */
  readonly verification: GraphVerification;
}

/** Settings of gossip alone. */
export interface GossipSettings {
  /** What is gossiped: everybody's individual contribution, or everybody's best aggregate. */
  readonly of: 'individuals' | 'aggregates';
  /** D, the degree of the random mesh. */
  readonly degree: number;
}

/**
 * A run as data. Together with the version of the code, a scenario is all that it takes to reproduce the run: the same
 * scenario gives the same event digest in Node and in the browser.
 */
export interface Scenario {
  readonly protocol: ProtocolName;
  /** N, the size of the registry, 1 to 2^20. */
  readonly nodes: number;
  /** Where the tree has its empty leaves when N is not a power of two: see `Tree`. */
  readonly tree: TreeForm;
  /** How many children a subtree has; rivals of Handel that have a tree have the binary one. */
  readonly branching: Branching;
  /**
   * Contributions that an output must contain: a share of the live nodes, in (0, 1], rounded up; or a count, from 2 to
   * N. 1 is all of them.
   */
  readonly threshold: number;
  /** One of {@link networkForms}; MS is one way. */
  readonly network: string;
  /** Share of the nodes that are behind Tor, in [0, 1]; the count is rounded down (v1.03 section 5.2). */
  readonly tor: number;
  /** Share of the nodes that are dead from the beginning, in [0, 1); the count is rounded down. */
  readonly dead: number;
  /**
   * Which nodes are dead: any, drawn by seed, or one of each machine, drawn by seed, machine by machine and round again
   * until they are enough, as in the published runs (v1.03 section 7.3). The latter needs a network that has machines.
   */
  readonly deadBy: 'chance' | 'machine';
  /**
   * So many nodes, from 1 on, or a share of them, in [0, 1), rounded down, are away at first: they miss what they are
   * sent and start late.
   */
  readonly absent: number;
  /** How long they are away, ms. */
  readonly absentMs: number;
  /** Nodes start uniformly in [0, desyncMs) ms. */
  readonly desyncMs: number;
  /**
   * Real signatures take real time, and in the run itself only a message's bytes: 96 a signature of BLS, 149 of Pixel.
   */
  readonly scheme: 'counting' | 'bls' | 'pixel';
  /** Dissemination period, ms (v1.03 section 3.6). */
  readonly periodMs: number;
  /**
   * Level l starts (l-1) times this after the node's start, ms; with a branching factor other than 2, when the level with
   * the same own side does in the binary tree.
   */
  readonly levelStartMs: number;
  /** Peers contacted at once when Out_l becomes complete. 0 switches the fast path off. */
  readonly fastPath: number;
  /** Whether nodes of Handel only ask, ever more rarely, on a level with nothing new to say. */
  readonly backOff: boolean;
  /**
   * How many contributions a node of Handel verifies together at most; 1: one at a time, as in the paper (v1.03 section
   * 6).
   */
  readonly batch: number;
  /** What a verification costs on a standard node, ms. */
  readonly verifyMs: number;
  readonly cpu: CpuSettings;
  /** An integer, 0 to 2^32 - 1. */
  readonly seed: number;
  /**
   * How verification priorities are computed: rows that are shifts of one shared row, or independent rows (v1.03
   * section 3.3).
   */
  readonly priorities: 'shifted' | 'independent';
  /**
   * The window of Handel: a share of a level's peers, or a fixed number of ranks as in the paper (v1.03 section 3.6).
   */
  readonly window: 'relative' | 'paper';
  /** Byzantine nodes, drawn by seed from the nodes that are not dead. They count as not live. */
  readonly attacks: readonly AttackShare[];
  /** What breaks, when and where. */
  readonly faults: readonly Fault[];
  /** Mechanisms of Handel that are switched off, to show what they are for. */
  readonly without: readonly Mechanism[];
  /** Quirks of the Go reference that nodes of Handel have. */
  readonly referenceQuirks: readonly ReferenceQuirk[];
  /** Whose message lengths bytes are counted by: this project's own, or the Go reference's. */
  readonly wire: 'tutti' | 'go-reference';
  /** Whether channels are authenticated (v1.03 section 2.3); where not, a sender is whoever it says. */
  readonly authenticated: boolean;
  readonly completeGraph: CompleteGraphSettings;
  readonly sanFermin: SanFerminSettings;
  readonly gossip: GossipSettings;
}

/** The paper's parameters on its AWS network. */
export const defaultScenario: Scenario = {
  protocol: 'handel',
  nodes: 1024,
  tree: 'spread',
  branching: 2,
  threshold: 0.99,
  network: 'aws',
  tor: 0,
  dead: 0,
  deadBy: 'chance',
  absent: 0,
  absentMs: 10_000,
  desyncMs: 0,
  scheme: 'counting',
  periodMs: 20,
  levelStartMs: 50,
  fastPath: 10,
  backOff: true,
  batch: 1,
  verifyMs: 4,
  cpu: { spread: 3, perKeyUs: 0, perMessageUs: 0, nodesPerCore: 0, sliceMs: 0, startsApartMs: 0 },
  seed: 1,
  priorities: 'shifted',
  window: 'relative',
  attacks: [],
  faults: [],
  without: [],
  referenceQuirks: [],
  wire: 'tutti',
  authenticated: true,
  completeGraph: { verification: 'each' },
  sanFermin: { candidates: 1, replyTimeoutMs: 300, exhausted: 'leave' },
  gossip: { of: 'individuals', degree: 8 },
};

/**
 * The longest duration, ms: a run is given up before the 35 minutes that a recording's 32 bits of microseconds hold.
 */
const longestMs = 600_000;

/** Fields of a scenario by the names that earlier versions wrote in files. */
const formerNames: ReadonlyMap<string, keyof Scenario> = new Map([['habits', 'referenceQuirks']]);

/** Fields that earlier versions had, and the value of each with which a run is what it is without the field. */
const formerFields: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['adaptive', false],
  ['contacts', 'one'],
]);

/**
 * Fields of a scenario that a file or a person gave, by the names that they have now, and without those of earlier
 * versions that change nothing.
 *
 * @throws RangeError for a field of earlier versions with a value that cannot be run any more.
 */
export function withPresentNames(fields: object): Record<string, unknown> {
  requireObject('fields', fields);
  const present = Object.entries(fields).filter(([name, value]) => {
    if (!formerFields.has(name)) return true;
    const usual = formerFields.get(name);
    if (value === usual) return false;
    throw new RangeError(expected(name, `${usual}, since versions after abb67a70 have no other`, value));
  });
  return Object.fromEntries(present.map(([name, value]) => [formerNames.get(name) ?? name, value]));
}

const groups = ['cpu', 'completeGraph', 'sanFermin', 'gossip'] as const;

/**
 * Checks that an argument is a scenario and has only known fields: a misspelt one would otherwise be ignored silently.
 *
 * @throws TypeError naming the field.
 */
export function requireScenario(scenario: Scenario): void {
  requireFieldsOf('scenario', scenario, defaultScenario, 'defaultScenario');
  for (const group of groups) {
    requireFieldsOf(`scenario.${group}`, scenario[group], defaultScenario[group], 'defaultScenario');
  }
}

/**
 * @throws RangeError naming the field, what was expected and what came; TypeError for a scenario, a group or a list of
 *   another kind.
 */
export function checkScenario(scenario: Scenario): void {
  requireObject('scenario', scenario, 'an object like that of defaultScenario');
  for (const group of groups) requireObject(group, scenario[group]);
  for (const list of ['without', 'attacks', 'referenceQuirks'] as const) requireArray(list, scenario[list]);
  requireOneOf('protocol', scenario.protocol, protocolNames);
  requireInteger('nodes', scenario.nodes, 1, 2 ** 20);
  requireOneOf('tree', scenario.tree, treeForms);
  if (!branchings.includes(scenario.branching))
    throw new RangeError(expected('branching', branchings.join(' or '), scenario.branching));
  if (scenario.branching !== 2) {
    requireOneOf(`protocol with branching ${scenario.branching}`, scenario.protocol, ['handel']);
    if (scenario.referenceQuirks.length > 0)
      throw new RangeError(expected('branching with quirks of the Go reference', '2', scenario.branching));
  }
  requireThreshold('threshold', scenario.threshold, scenario.nodes);
  if (!(Number.isFinite(scenario.dead) && scenario.dead >= 0 && scenario.dead < 1)) {
    throw new RangeError(expected('dead', 'a number from 0 and under 1', scenario.dead));
  }
  requireOneOf('deadBy', scenario.deadBy, ['chance', 'machine']);
  const { absent, nodes } = scenario;
  if (!(absent >= 0 && absent <= nodes && (absent < 1 || Number.isInteger(absent)))) {
    throw new RangeError(expected('absent', `a share from 0 to under 1 or a number of nodes up to ${nodes}`, absent));
  }
  requireNumber('absentMs', scenario.absentMs, 0.001, longestMs);
  requireNumber('tor', scenario.tor, 0, 1);
  requireNumber('desyncMs', scenario.desyncMs, 0, longestMs);
  requireOneOf('scheme', scenario.scheme, ['counting', 'bls', 'pixel']);
  requireNumber('periodMs', scenario.periodMs, 0.001, longestMs);
  requireNumber('levelStartMs', scenario.levelStartMs, 0, longestMs);
  requireInteger('fastPath', scenario.fastPath, 0, 2 ** 20);
  if (typeof scenario.backOff !== 'boolean')
    throw new RangeError(expected('backOff', 'true or false', scenario.backOff));
  requireInteger('batch', scenario.batch, 1, largestBatch);
  requireNumber('verifyMs', scenario.verifyMs, 0, longestMs);
  requireNumber('cpu.spread', scenario.cpu.spread, 1, 1000);
  requireNumber('cpu.perKeyUs', scenario.cpu.perKeyUs, 0, longestMs);
  requireNumber('cpu.perMessageUs', scenario.cpu.perMessageUs, 0, longestMs);
  requireInteger('cpu.nodesPerCore', scenario.cpu.nodesPerCore, 0, 2 ** 20);
  requireNumber('cpu.sliceMs', scenario.cpu.sliceMs, 0, longestMs);
  requireNumber('cpu.startsApartMs', scenario.cpu.startsApartMs, 0, longestMs);
  if (scenario.cpu.perMessageUs > 0 && scenario.cpu.nodesPerCore === 0) {
    throw new RangeError(expected('cpu.nodesPerCore', 'at least 1 where messages cost something', 0));
  }
  requireInteger('seed', scenario.seed, 0, 2 ** 32 - 1);
  requireOneOf('priorities', scenario.priorities, ['shifted', 'independent']);
  requireOneOf('window', scenario.window, ['relative', 'paper']);
  checkAttacks(scenario);
  checkFaults(scenario.faults, scenario.nodes);
  for (const mechanism of scenario.without) requireOneOf('without', mechanism, mechanisms);
  for (const quirk of scenario.referenceQuirks) requireOneOf('referenceQuirks', quirk, referenceQuirks);
  if (scenario.referenceQuirks.length > 0) {
    requireOneOf('protocol with reference quirks', scenario.protocol, ['handel']);
    requireInteger('batch with reference quirks', scenario.batch, 1, 1);
  }
  requireOneOf('wire', scenario.wire, ['tutti', 'go-reference']);
  if (typeof scenario.authenticated !== 'boolean') {
    throw new RangeError(expected('authenticated', 'true or false', scenario.authenticated));
  }
  requireOneOf('completeGraph.verification', scenario.completeGraph.verification, graphVerifications);
  requireInteger('sanFermin.candidates', scenario.sanFermin.candidates, 1, 2 ** 20);
  requireNumber('sanFermin.replyTimeoutMs', scenario.sanFermin.replyTimeoutMs, 0.001, longestMs);
  requireOneOf('sanFermin.exhausted', scenario.sanFermin.exhausted, exhaustedRules);
  requireOneOf('gossip.of', scenario.gossip.of, ['individuals', 'aggregates']);
  requireInteger('gossip.degree', scenario.gossip.degree, 1, 2 ** 20);
  if (typeof scenario.network !== 'string') throw new RangeError(expected('network', networkForms, scenario.network));
  if ((scenario.deadBy === 'machine' || scenario.cpu.startsApartMs > 0) && !hasMachines(scenario.network)) {
    throw new RangeError(
      expected('network of a run with machines', 'aws-blocks or aws-blocks:MACHINES', scenario.network),
    );
  }
}

function checkAttacks({ attacks: shares, protocol, dead }: Scenario): void {
  let sum = dead;
  for (const { name, share, plan } of shares) {
    const attack = attackNamed(name);
    requireOneOf(
      'attacks',
      name,
      attacks.map((one) => one.name),
    );
    requireOneOf(`protocol under attack by ${name}`, protocol, attack!.against);
    if (!(Number.isFinite(share) && share >= 0 && share < 1)) {
      throw new RangeError(expected(`share of ${name}`, 'a number from 0 and under 1', share));
    }
    if (plan !== undefined) {
      requireOneOf('attack with a plan', name, [acrossLevels.name]);
      readPlan(plan);
    }
    sum += share;
  }
  if (sum >= 1) throw new RangeError(expected('dead and Byzantine shares together', 'under 1', sum));
}

function requireOneOf(label: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new RangeError(expected(label, allowed.join(' or '), value));
}
