import type { Branching, ExhaustedRule, GraphVerification, Mechanism, TreeForm } from '@tutti/core';
import type { ProtocolName } from '../attacks/attack.ts';
import type { CpuSettings } from '../engine/cpu.ts';
import type { Fault } from './faultPlan.ts';

/** A share of Byzantine nodes, and their behaviour. */
export interface AttackShare {
  /** Name of the attack. */
  readonly name: string;
  /** Share of all nodes, in [0, 1); the count is rounded down. */
  readonly share: number;
  /**
   * Positions of the attack's nodes, and their contributions and times on each level, if the attack has a plan.
   * `readPlan` of `@tutti/simulation` reads it.
   */
  readonly plan?: string;
}

/** Settings of San Fermín. */
export interface SanFerminSettings {
  /** Number of candidates asked at a time. */
  readonly candidates: number;
  /** Time to wait for an answer before the next candidates are asked, ms. */
  readonly replyTimeoutMs: number;
  /**
   * Behaviour of a node that has asked all candidates of a level without success: it leaves the level, or waits there
   * for a later contribution.
   */
  readonly exhausted: ExhaustedRule;
}

/** Settings of the complete graph. */
export interface CompleteGraphSettings {
  /** Whether contributions are verified singly or in bulk. */
  readonly verification: GraphVerification;
}

/** Settings of gossip. */
export interface GossipSettings {
  /** Content of gossip: all nodes' individual contributions, or all nodes' best aggregates. */
  readonly of: 'individuals' | 'aggregates';
  /** Degree D of the random mesh. */
  readonly degree: number;
}

/**
 * A run as data. A scenario and the version of the code determine the run: the same scenario gives the same event
 * digest in Node and in the browser.
 */
export interface Scenario {
  readonly protocol: ProtocolName;
  /** Size N of the registry, 1 to 2^20. */
  readonly nodes: number;
  /** Positions of the tree's empty leaves if N is not a power of two: see `Tree`. */
  readonly tree: TreeForm;
  /**
   * Weights of the nodes: `equal`; `pareto:A`, drawn from a Pareto distribution with that exponent; or a list, such as
   * `24x1000,1000x1`, whose order the seed draws. A threshold is then a share of the live nodes' weight.
   */
  readonly weights: string;
  /** Draw of verification priorities if nodes weigh differently: by weight, or uniformly as in the paper. */
  readonly prioritiesBy: 'weight' | 'id';
  /** Number of children of a subtree. Baselines with a tree use the binary one. */
  readonly branching: Branching;
  /**
   * Contributions that an output must contain: a share of the live nodes, in (0, 1], rounded up; or a count, from 2 to
   * N. 1 means all of them.
   */
  readonly threshold: number;
  /** Network, one of {@link networkForms}; MS is one way. */
  readonly network: string;
  /** Share of the nodes that are behind Tor, in [0, 1]; the count is rounded down (v1.03 section 5.2). */
  readonly tor: number;
  /** Whether the latency between two nodes varies from message to message. */
  readonly jitter: boolean;
  /** Share of the nodes that are dead from the beginning, in [0, 1); the count is rounded down. */
  readonly dead: number;
  /**
   * Choice of the dead nodes, by seed: `chance` draws any. `machine` draws one of each machine, machine by machine and
   * repeatedly, as in the published runs (v1.03 section 7.3); it needs a network with machines.
   */
  readonly deadBy: 'chance' | 'machine';
  /**
   * Nodes that are absent at first: they miss messages and start late. A count from 1 on, or a share in [0, 1), rounded
   * down.
   */
  readonly absent: number;
  /** Duration of the absence, ms. */
  readonly absentMs: number;
  /** Range of the nodes' start times: uniform in [0, desyncMs) ms. */
  readonly desyncMs: number;
  /**
   * Signature scheme. `bls` takes real time for real signatures. The run itself only depends on their length, 96 bytes
   * per BLS signature.
   */
  readonly scheme: 'counting' | 'bls';
  /** Dissemination period, ms (v1.03 section 3.6). */
  readonly periodMs: number;
  /**
   * Start time of level l after the node's start, in units of l-1, ms. With a branching factor other than 2, it is that
   * of the binary tree's level with the same own side.
   */
  readonly levelStartMs: number;
  /** Number of peers contacted at once when Out_l becomes complete. 0 switches the fast path off. */
  readonly fastPath: number;
  /**
   * Whether a Handel node that has nothing new to send on a level only sends requests there, at increasing intervals.
   */
  readonly backOff: boolean;
  /**
   * Maximum number of contributions that a Handel node verifies together; 1 is one at a time, as in the paper (v1.03
   * section 6).
   */
  readonly batch: number;
  /** Cost of a verification on a standard node, ms. */
  readonly verifyMs: number;
  readonly cpu: CpuSettings;
  /** Seed of everything random, an integer, 0 to 2^32 - 1. */
  readonly seed: number;
  /**
   * Computation of verification priorities: rows that are shifts of one shared row, or independent rows (v1.03 section
   * 3.3).
   */
  readonly priorities: 'shifted' | 'independent';
  /** Window of Handel: a share of a level's peers, or a fixed number of ranks as in the paper (v1.03 section 3.6). */
  readonly window: 'relative' | 'paper';
  /** Byzantine nodes, drawn by seed from the nodes that are not dead. They count as not live. */
  readonly attacks: readonly AttackShare[];
  /**
   * Meaning of the attacks' shares: of the nodes (`nodes`), or of the total weight. In the latter case the nodes are
   * drawn by seed (`weight`), the heaviest that fit (`heaviest`) or the lightest (`lightest`).
   */
  readonly attackBy: 'nodes' | 'weight' | 'heaviest' | 'lightest';
  /** Faults of the run, with their times and places. */
  readonly faults: readonly Fault[];
  /** Mechanisms of Handel that are switched off, to show their purpose. */
  readonly without: readonly Mechanism[];
  /**
   * Whether channels are authenticated (v1.03 section 2.3). Without authentication, any node can send in another node's
   * name.
   */
  readonly authenticated: boolean;
  readonly completeGraph: CompleteGraphSettings;
  readonly sanFermin: SanFerminSettings;
  readonly gossip: GossipSettings;
}
