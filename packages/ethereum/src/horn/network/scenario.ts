import {
  defaultsOf,
  durations,
  expected,
  type IntegerRange,
  integers,
  type OwnRange,
  oneOf,
  requireAllIn,
  requireArray,
  requireFieldsOf,
  requireIn,
  requireInteger,
  requireKnownFields,
  requireObject,
  type SettingsOf,
  seedSetting,
  shares,
} from '@tutti/core/input';
import { type HornAttackShare, validateHornAttacks } from '../attacks.ts';
import { keySumsSetting, type VerificationCosts } from '../costs.ts';
import {
  type ClientParameters,
  type ClientShare,
  defaultClient,
  validateClient,
  validateClientShares,
} from './client.ts';
import {
  type Bundles,
  eip8334Bundles,
  ethereumGossipsub,
  type GossipsubParameters,
  validateGossipsub,
} from './gossipsub.ts';
import {
  type Lateness,
  type LinkClass,
  linkPresets,
  type NodeDistribution,
  nodeDistributions,
  onTime,
  validateLateness,
  validateLinkClasses,
} from './nodes.ts';
import { type VotingSystem, type VotingSystemName, votingSystemNames, votingSystems } from './systems.ts';

/** A slot on Ethereum's network as data. */
export interface NetworkScenario {
  readonly system: VotingSystemName;
  /** Changes to the system's values. */
  readonly changes: Partial<Omit<VotingSystem, 'title' | 'source' | 'gathering' | 'wire' | 'inclusion'>>;
  readonly validators: number;
  readonly nodes: number;
  readonly distribution: NodeDistribution;
  readonly links: readonly LinkClass[];
  /** Share of every link used by other traffic: blocks, blobs, other topics. */
  readonly reserved: number;
  readonly client: ClientParameters;
  /** Shares of nodes with other clients, drawn by seed. The remaining nodes run `client`. */
  readonly clients: readonly ClientShare[];
  readonly keySums: VerificationCosts['keySums'];
  readonly gossip: GossipsubParameters;
  /** Number of subnets that a node joins permanently (SUBNETS_PER_NODE). */
  readonly subnetsPerNode: number;
  /** Number of Horn's committee topics that a node joins permanently. The post does not state this number. */
  readonly committeeTopicsPerNode: number;
  /**
   * Minimum number of votes that a node must have in a committee to send them as one message (EIP-8243); 0 for never.
   */
  readonly sourceBatches: number;
  /** Number of measuring nodes on every subnet, drawn from the nodes with the highest upload rate. */
  readonly observers: number;
  /** Name of a network for `createNetwork`. */
  readonly network: string;
  /** Share of the validators that vote, chosen by the seed. All nodes run, whatever this share is. */
  readonly participation: number;
  readonly lateness: Lateness;
  /** Byzantine validators by attack. Each attack has its own nodes, whose validators fit into its share. */
  readonly attacks: readonly HornAttackShare[];
  /** Seed of all random choices. Integer from 0 to 2^32 - 1. */
  readonly seed: number;
}

/** Range of a slot's length, ms. */
export const slotLengths = durations(100, 600_000);

/** Returns a range that checks its values with the given function. */
const validatedBy = <T>(validate: (value: T) => void): OwnRange<T> => {
  return { kind: 'own', validate: (_, value) => validate(value) };
};

/** Ranges of the numbers of a voting system. */
export const votingSettings = {
  committees: integers(1, 4096),
  subcommittees: integers(1, 4096),
  period: integers(1, 4096),
  aggregators: integers(1, 2 ** 20),
  collectors: integers(0, 2 ** 20),
  attestations: integers(1, 65_536),
  epochSlots: integers(1, 4096),
  justifiedInRow: integers(1, 4096),
} satisfies { readonly [K in keyof VotingSystem]?: IntegerRange };

/** Times of a voting system, ms. */
const slotTimes = ['attestMs', 'aggregateMs', 'collectMs', 'blockMs', 'slotMs'] as const;

/** Fields of a voting system that a scenario can change. */
const changeable = [...Object.keys(votingSettings), 'subnets', ...slotTimes];

/** Default, range and description of each field of a slot on Ethereum's network. */
export const networkSettings: SettingsOf<NetworkScenario> = {
  system: { default: 'horn', range: oneOf(votingSystemNames), about: 'voting system' },
  changes: {
    default: {},
    range: { kind: 'own', validate: (label, changes) => requireKnownFields(label, changes, changeable) },
    about: 'changes to the voting system',
  },
  validators: { default: 2 ** 20, range: integers(64, 2 ** 20), about: 'number of validators' },
  nodes: { default: 10_000, range: integers(16, 20_000), about: 'number of nodes that host the validators' },
  distribution: {
    default: 'uniform',
    range: oneOf(nodeDistributions),
    about: `distribution of validators over nodes: ${nodeDistributions.join(', ')}`,
  },
  links: { default: linkPresets['eip-7870'], range: validatedBy(validateLinkClasses), about: 'classes of links' },
  reserved: { default: 0, range: { ...shares, max: 0.99 }, about: 'share of every link reserved for other traffic' },
  client: { default: defaultClient, range: validatedBy(validateClient), about: 'verification of messages' },
  clients: { default: [], range: validatedBy(validateClientShares), about: 'shares of nodes with other clients' },
  keySums: keySumsSetting,
  gossip: { default: ethereumGossipsub, range: validatedBy(validateGossipsub), about: 'parameters of gossipsub' },
  subnetsPerNode: { default: 2, range: integers(0, 64), about: 'number of subnets that a node joins permanently' },
  committeeTopicsPerNode: {
    default: 1,
    range: integers(0, 64),
    about: "number of Horn's committee topics that a node joins",
  },
  sourceBatches: {
    default: 0,
    range: integers(0, 4096),
    about: "minimum number of a node's votes in a committee that are sent as one message; 0: never",
  },
  observers: { default: 0, range: integers(0, 64), about: 'number of measuring nodes, which join every subnet' },
  network: { default: 'aws', range: validatedBy(() => {}), about: 'latencies, by name' },
  participation: { default: 1, range: { ...shares, min: 0.01 }, about: 'share of validators that vote' },
  lateness: { default: onTime, range: validatedBy(validateLateness), about: 'lateness of votes' },
  attacks: {
    default: [],
    range: validatedBy((attacks) => validateHornAttacks(attacks, 0)),
    about: "Eve's validators by attack",
  },
  seed: seedSetting,
};

/** Default scenario: 2^20 validators on 10,000 nodes. */
export const defaultNetworkScenario: NetworkScenario = defaultsOf(networkSettings);

/** Returns the times of a slot of another length, with all parts scaled proportionally. */
export function inProportion(
  system: VotingSystem,
  slotMs: number,
): Pick<VotingSystem, 'attestMs' | 'aggregateMs' | 'collectMs' | 'blockMs' | 'slotMs'> {
  requireObject('system', system, 'a voting system');
  requireIn('slotMs', slotMs, slotLengths);
  const factor = slotMs / system.slotMs;
  return {
    attestMs: system.attestMs * factor,
    aggregateMs: system.aggregateMs * factor,
    collectMs: system.collectMs * factor,
    slotMs,
    // Rounding must not move the block beyond the end of the slot.
    blockMs: Math.min(slotMs, system.blockMs * factor),
  };
}

/** Returns the system with the scenario's changes. */
export function systemOf(scenario: NetworkScenario): VotingSystem {
  requireObject('scenario', scenario, 'an object like that of defaultNetworkScenario');
  const { system, changes } = scenario;
  return { ...votingSystems[system], ...changes };
}

/** Checks a scenario. @throws RangeError that names the field, the expected value and the actual value. */
export function validateNetworkScenario(scenario: NetworkScenario): void {
  requireFieldsOf('scenario', scenario, defaultNetworkScenario, 'defaultNetworkScenario');
  requireAllIn(scenario, networkSettings);
  const system = systemOf(scenario);
  for (const [name, range] of Object.entries(votingSettings))
    requireIn(name, system[name as keyof typeof votingSettings], range);
  if (system.subnets !== undefined) requireInteger('subnets', system.subnets, 1, 2 ** 20);
  requireIn('slotMs', system.slotMs, slotLengths);
  const times = slotTimes.filter((name) => name !== 'collectMs' || system.collectors > 0).map((name) => system[name]);
  if (times.some((time, index) => !(time >= (times[index - 1] ?? 0)))) {
    throw new RangeError(expected('times of the slot', `in order, up to ${system.slotMs} ms`, times.join(', ')));
  }
  const voters = votersOf(scenario);
  requireInteger('voters of a slot', voters, system.committees * system.subcommittees, scenario.validators);
}

/** Returns the number of validators that must vote in a slot. */
export function votersOf(scenario: NetworkScenario): number {
  return Math.floor(scenario.validators / systemOf(scenario).period);
}

/** Changes that a proposal makes to a scenario, as data. Several proposals can be combined. */
export interface Proposal {
  readonly title: string;
  /** Sources of the values. The text also states which values are this project's own. */
  readonly source: string;
  readonly changes: Partial<Pick<NetworkScenario, 'validators' | 'changes' | 'sourceBatches' | 'lateness'>> & {
    readonly bundles?: Bundles;
  };
}

/**
 * Lateness on mainnet, fitted to missed slots of August 2025, in which no node has a block for which to vote
 * (ethresear.ch/t/23016: mean 831 ms, two thirds within 830 ms, p95 1,962 ms after votes were due). `tutti slots
 * arrivals` compares this lateness with other measurements.
 */
const lateOnMainnet: Lateness['late'] = [
  { share: 0.58, fromMs: 0, toMs: 1000 },
  { share: 0.17, fromMs: 1000, toMs: 2000 },
  { share: 0.025, fromMs: 2000, toMs: 3000 },
];

/** Proposals of 2026 by name. The table also contains `late`, the lateness on mainnet. */
export const proposals = {
  gloas: {
    title: 'Votes due at a quarter of the slot, aggregates at a half',
    source: 'consensus-specs@a08d8a6, configs/mainnet.yaml, EIP-7732: 2500 and 5000 basis points',
    changes: { changes: { attestMs: 3000, aggregateMs: 6000 } },
  },
  cap: {
    title: 'At most 131,072 attesters: 32 committees of 128',
    source:
      "EIP-8243 cites the strawmap: 128K. Committees by phase 0's get_committee_count_per_slot; a committee is on every other of the 64 subnets in a slot",
    changes: { validators: 131_072, changes: { subcommittees: 32, subnets: 64 } },
  },
  bundles: {
    title: 'Votes in bundles, by partial messages',
    source:
      'EIP-8334, pull 11905@09b25ff (2026-08-18): every 20 ms, at most 50 votes, 144 bytes and 104 a vote, 8 to tell of one. Ours: votes asked for at a heartbeat come singly, and nobody asks for bytes beyond the ordinary',
    changes: { bundles: eip8334Bundles },
  },
  batches: {
    title: "A node's votes of one committee in one message",
    source:
      'EIP-8243, ethereum/EIPs@f767a1e8 (2026-05-01): 437 bytes and a bit a member, three signatures and two keys a vote; from three votes on it is smaller than they are. Ours: an operator is a node',
    changes: { sourceBatches: 3 },
  },
  dvt: {
    title: "A fifth of the votes by distributed validators, in today's rounds",
    source:
      'ObolNetwork/charon@047dda0, docs/consensus.md: data is fetched when votes are due, rounds of 1 s. Ours: the share, 0.2 to 0.6 s of a round that goes well, and one in ten that takes another',
    changes: {
      lateness: {
        ...onTime,
        late: [
          { share: 0.18, fromMs: 200, toMs: 600 },
          { share: 0.02, fromMs: 1200, toMs: 1600 },
        ],
      },
    },
  },
  late: {
    title: "Votes as late as in mainnet's missed slots",
    source: 'fitted on ethresear.ch/t/23016, August 2025: docs/research/horn/validation.md',
    changes: { lateness: { ...onTime, late: lateOnMainnet } },
  },
} as const satisfies Record<string, Proposal>;
/** Name of a proposal in {@link proposals}. */
export type ProposalName = keyof typeof proposals;
/** Names of all proposals. */
export const proposalNames = Object.keys(proposals) as readonly ProposalName[];

/**
 * Returns the scenario after applying these proposals in order.
 *
 * @throws RangeError for an unknown proposal; TypeError for names that are not a list.
 */
export function withProposals(scenario: NetworkScenario, names: readonly ProposalName[]): NetworkScenario {
  requireArray('names', names);
  let changed = scenario;
  for (const name of names) {
    if (!Object.hasOwn(proposals, name)) throw new RangeError(expected('proposal', proposalNames.join(' or '), name));
    const { changes: system, bundles, validators, ...rest }: Proposal['changes'] = proposals[name].changes;
    changed = {
      ...changed,
      ...rest,
      validators: Math.min(changed.validators, validators ?? changed.validators),
      changes: { ...changed.changes, ...system },
      gossip: bundles === undefined ? changed.gossip : { ...changed.gossip, bundles },
    };
  }
  return changed;
}
