import type { Branching, Mechanism, TreeForm } from '@tutti/core';
import type { ExhaustedRule, GraphVerification } from '@tutti/core/protocols';
import type { CpuSettings } from '../engine/cpu.ts';
import type { Fault } from './faultPlan.ts';

/** Those of which `protocols` has a row each. */
export const protocolNames = ['handel', 'complete-graph', 'san-fermin', 'gossip'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/** A share of the nodes that are Byzantine, and how they behave. */
export interface AttackShare {
  /** The name of an attack. */
  readonly name: string;
  /** Of all nodes, in [0, 1); the count is rounded down. */
  readonly share: number;
  /**
   * Where its nodes are, what they send on each level and when, if the attack lets that be chosen; `readPlan` of the
   * door `attacks` reads it.
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
  /**
   * What nodes weigh: `equal`; `pareto:A`, drawn from a Pareto distribution with that exponent; or a list, such as
   * `24x1000,1000x1`, whose order the seed draws. A threshold is then a share of the live nodes' weight.
   */
  readonly weights: string;
  /** Where nodes weigh differently: whether verification priorities are drawn by weight, or uniformly as in the paper. */
  readonly prioritiesBy: 'weight' | 'id';
  /** How many children a subtree has; baselines of Handel that have a tree have the binary one. */
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
  /** Whether the latency between two nodes varies from message to message. */
  readonly jitter: boolean;
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
   * Real signatures take real time, and in the run itself only a message's bytes: 96 a signature of BLS.
   */
  readonly scheme: 'counting' | 'bls';
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
  /**
   * What the attacks' shares are of: `nodes`; or of the weight of all, in nodes drawn by seed (`weight`), the heaviest
   * that fit in (`heaviest`) or the lightest (`lightest`).
   */
  readonly attackBy: 'nodes' | 'weight' | 'heaviest' | 'lightest';
  /** What breaks, when and where. */
  readonly faults: readonly Fault[];
  /** Mechanisms of Handel that are switched off, to show what they are for. */
  readonly without: readonly Mechanism[];
  /** Whether channels are authenticated (v1.03 section 2.3); where not, a sender is whoever it says. */
  readonly authenticated: boolean;
  readonly completeGraph: CompleteGraphSettings;
  readonly sanFermin: SanFerminSettings;
  readonly gossip: GossipSettings;
}
