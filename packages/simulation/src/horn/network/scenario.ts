import { expected, requireFieldsOf, requireInteger, requireNumber, requireObject } from '@tutti/core/internal';
import { checkHornAttacks, type HornAttackShare } from '../attacks.ts';
import type { VerificationCosts } from '../costs/verification.ts';
import { type ClientParameters, type ClientShare, checkClient, checkClientShares, clientPresets } from './client.ts';
import { checkGossipsub, ethereumGossipsub, type GossipsubParameters } from './gossipsub.ts';
import { checkLateness, type Lateness, onTime } from './lateness.ts';
import { checkLinkClasses, type LinkClass, linkPresets } from './linkClasses.ts';
import { type NodeDistribution, nodeDistributions } from './nodeMap.ts';
import { type VotingSystem, type VotingSystemName, votingSystems } from './systems.ts';

/** A slot on Ethereum's network as data. */
export interface NetworkScenario {
  readonly system: VotingSystemName;
  /** What is changed of the system. */
  readonly changes: Partial<Omit<VotingSystem, 'title' | 'source' | 'gathering' | 'wire' | 'inclusion'>>;
  readonly validators: number;
  readonly nodes: number;
  readonly distribution: NodeDistribution;
  readonly links: readonly LinkClass[];
  /** Share of every link that other traffic takes: blocks, blobs, other topics. */
  readonly reserved: number;
  readonly client: ClientParameters;
  /** Nodes that verify otherwise, drawn by seed; the rest run `client`. */
  readonly clients: readonly ClientShare[];
  readonly keySums: VerificationCosts['keySums'];
  readonly gossip: GossipsubParameters;
  /**
   * Subnets that a node joins for good (SUBNETS_PER_NODE), and Horn's committee topics: the post has no figure for
   * these.
   */
  readonly subnetsPerNode: number;
  readonly committeeTopicsPerNode: number;
  /** From how many votes of a committee on a node sends them as one message (EIP-8243); 0 for never. */
  readonly sourceBatches: number;
  /** Nodes of those with the most upload that are on every subnet and take part like any: who measures does. */
  readonly observers: number;
  /** A network's name, as `createNetwork` takes it. */
  readonly network: string;
  /** Share of the validators that vote; those who do not are drawn by seed. Nodes all run. */
  readonly participation: number;
  readonly lateness: Lateness;
  /**
   * Eve's validators by what they do; each attack has nodes of its own, which host as many validators as fit into its
   * share.
   */
  readonly attacks: readonly HornAttackShare[];
  /** An integer, 0 to 2^32 - 1. */
  readonly seed: number;
}

/** 2^20 validators on 10,000 nodes. */
export const defaultNetworkScenario: NetworkScenario = {
  system: 'horn',
  changes: {},
  validators: 2 ** 20,
  nodes: 10_000,
  distribution: 'uniform',
  links: linkPresets['eip-7870'],
  reserved: 0,
  client: { ...clientPresets.lighthouse, machine: 'i7-8550U', cores: 4 },
  clients: [],
  keySums: 'naive',
  gossip: ethereumGossipsub,
  subnetsPerNode: 2,
  committeeTopicsPerNode: 1,
  sourceBatches: 0,
  observers: 0,
  network: 'aws',
  participation: 1,
  lateness: onTime,
  attacks: [],
  seed: 1,
};

/** The times of a slot of another length, all parts in proportion. */
export function inProportion(
  system: VotingSystem,
  slotMs: number,
): Pick<VotingSystem, 'attestMs' | 'aggregateMs' | 'collectMs' | 'blockMs' | 'slotMs'> {
  requireObject('system', system, 'a voting system');
  const { attestMs, aggregateMs, collectMs, blockMs, slotMs: own } = system;
  requireNumber('slotMs', slotMs, 1, 600_000);
  const factor = slotMs / own;
  return {
    attestMs: attestMs * factor,
    aggregateMs: aggregateMs * factor,
    collectMs: collectMs * factor,
    slotMs,
    blockMs: blockMs * factor,
  };
}

/** The system with what the scenario changes of it. */
export function systemOf(scenario: NetworkScenario): VotingSystem {
  requireObject('scenario', scenario, 'an object like that of defaultNetworkScenario');
  const { system, changes } = scenario;
  return { ...votingSystems[system], ...changes };
}

/** @throws RangeError naming the field, what was expected and what came. */
export function checkNetworkScenario(scenario: NetworkScenario): void {
  requireFieldsOf('scenario', scenario, defaultNetworkScenario, 'defaultNetworkScenario');
  if (!Object.hasOwn(votingSystems, scenario.system)) {
    throw new RangeError(expected('system', Object.keys(votingSystems).join(' or '), scenario.system));
  }
  requireInteger('validators', scenario.validators, 64, 2 ** 20);
  requireInteger('nodes', scenario.nodes, 16, 20_000);
  if (!nodeDistributions.includes(scenario.distribution)) {
    throw new RangeError(expected('distribution', nodeDistributions.join(' or '), scenario.distribution));
  }
  checkLinkClasses(scenario.links);
  requireNumber('reserved', scenario.reserved, 0, 0.99);
  checkClient(scenario.client);
  checkClientShares(scenario.clients);
  checkGossipsub(scenario.gossip);
  requireInteger('subnetsPerNode', scenario.subnetsPerNode, 0, 64);
  requireInteger('committeeTopicsPerNode', scenario.committeeTopicsPerNode, 0, 64);
  requireInteger('sourceBatches', scenario.sourceBatches, 0, 4096);
  requireInteger('observers', scenario.observers, 0, 64);
  requireNumber('participation', scenario.participation, 0.01, 1);
  checkLateness(scenario.lateness);
  checkHornAttacks(scenario.attacks, 0);
  requireInteger('seed', scenario.seed, 0, 2 ** 32 - 1);
  const system = systemOf(scenario);
  requireInteger('committees', system.committees, 1, 4096);
  requireInteger('subcommittees', system.subcommittees, 1, 4096);
  requireInteger('period', system.period, 1, 4096);
  requireInteger('aggregators', system.aggregators, 1, 2 ** 20);
  requireInteger('collectors', system.collectors, 0, 2 ** 20);
  requireInteger('attestations', system.attestations, 1, 65_536);
  const times = [
    system.attestMs,
    system.aggregateMs,
    ...(system.collectors > 0 ? [system.collectMs] : []),
    system.blockMs,
  ];
  if (times.some((time, index) => !(time >= (times[index - 1] ?? 0))) || system.blockMs > 600_000) {
    throw new RangeError(expected('times of the slot', 'in order, up to 600000 ms', times.join(', ')));
  }
  const voters = votersOf(scenario);
  requireInteger('voters of a slot', voters, system.committees * system.subcommittees, scenario.validators);
}

/** How many are to vote in a slot. */
export function votersOf(scenario: NetworkScenario): number {
  const { sampled, period } = systemOf(scenario);
  const { validators } = scenario;
  return sampled === undefined ? Math.floor(validators / period) : Math.min(sampled, validators);
}
