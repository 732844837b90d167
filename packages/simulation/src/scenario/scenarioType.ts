import type { Branching, ExhaustedRule, GraphVerification, Mechanism, TreeForm } from '@tutti/core';
import type { ProtocolName } from '../attacks/attack.ts';
import type { CpuSettings } from '../engine/cpu.ts';
import type { Fault } from './faultPlan.ts';

/** A share of Byzantine nodes, and the behaviour of these nodes. */
export interface AttackShare {
  /** Name of the attack. */
  readonly name: string;
  /** Share of all nodes, or of their weight if `attackBy` says so, in [0, 1); the count is rounded down. */
  readonly share: number;
  /**
   * Positions of the attack's nodes, and their contributions and times on each level, if the attack has a plan.
   * `readPlan` in `@tutti/simulation` reads such a plan.
   */
  readonly plan?: string;
}

/** Settings of San Fermín. */
export interface SanFerminSettings {
  /** Number of candidates asked at the same time. */
  readonly candidates: number;
  /** Time to wait for an answer before asking the next candidates, ms. */
  readonly replyTimeoutMs: number;
  /**
   * Behaviour of a node that has asked all candidates on a level without success: the node leaves the level, or waits
   * there for a later contribution.
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
 * Complete description of a run, as data. A scenario and the version of the code determine the run: the same scenario
 * gives the same event digest in Node and in the browser.
 */
export interface Scenario {
  readonly protocol: ProtocolName;
  /** Size N of the registry, 1 to 2^20. */
  readonly nodes: number;
  /** Positions of the tree's empty leaves if N is not a power of two: see `Tree`. */
  readonly tree: TreeForm;
  /**
   * Weights of the nodes: `equal`; `pareto:A`, drawn from a Pareto distribution with exponent A; or a list, such as
   * `24x1000,1000x1`, which the seed shuffles. With unequal weights, a threshold is a share of the live nodes' weight.
   */
  readonly weights: string;
  /**
   * Method of drawing verification priorities if nodes have different weights: by weight, or uniformly as in the paper.
   */
  readonly prioritiesBy: 'weight' | 'id';
  /** Number of children of a subtree. Baselines with a tree use the binary tree. */
  readonly branching: Branching;
  /**
   * Contributions that an output must contain: a share of the live nodes, in (0, 1], rounded up; or a count, from 2 to
   * N. The value 1 means all live nodes.
   */
  readonly threshold: number;
  /** Name of the network, in one of the `networkForms`, where MS is a one-way latency. */
  readonly network: string;
  /** Share of the nodes that are behind Tor, in [0, 1]; the count is rounded down (v1.03 section 5.2). */
  readonly tor: number;
  /** Whether the latency between two nodes varies from message to message. */
  readonly jitter: boolean;
  /** Share of the nodes that are dead from the beginning, in [0, 1); the count is rounded down. */
  readonly dead: number;
  /**
   * Method of choosing the dead nodes, by seed: `chance` chooses among all nodes at random. `machine` chooses one node
   * per machine, machine by machine and repeatedly, as in the published runs (v1.03 section 7.3); this method needs a
   * network with machines.
   */
  readonly deadBy: 'chance' | 'machine';
  /**
   * Nodes that are absent at first: they miss messages and start late. The value is a count, from 1 on, or a share in
   * [0, 1), rounded down. A dead node is absent only if no other node is left.
   */
  readonly absent: number;
  /** Duration of the absence, ms. */
  readonly absentMs: number;
  /** Range of the nodes' start times, which are uniformly distributed in [0, desyncMs) ms. */
  readonly desyncMs: number;
  /**
   * Signature scheme. `bls` creates and verifies real signatures, which takes real time. The run itself depends only on
   * the length of the signatures, 96 bytes per BLS signature.
   */
  readonly scheme: 'counting' | 'bls';
  /** Dissemination period, ms (v1.03 section 3.6). */
  readonly periodMs: number;
  /**
   * Time between the starts of successive levels, ms: level l starts l-1 times this value after the node's start. With
   * a branching factor other than 2, a level starts at the time of the binary tree's level with an own side of the same
   * size.
   */
  readonly levelStartMs: number;
  /** Number of peers contacted at once when Out_l becomes complete. The value 0 switches the fast path off. */
  readonly fastPath: number;
  /**
   * Whether a Handel node with nothing new to send on a level sends only requests on that level, at increasing
   * intervals.
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
  /** Seed for all randomness, an integer from 0 to 2^32 - 1. */
  readonly seed: number;
  /**
   * Computation of verification priorities: rows that are shifts of one shared row, or independent rows (v1.03 section
   * 3.3).
   */
  readonly priorities: 'shifted' | 'independent';
  /** Window of Handel: a share of a level's peers, or a fixed number of ranks as in the paper (v1.03 section 3.6). */
  readonly window: 'relative' | 'paper';
  /** Byzantine nodes, drawn by seed from the nodes that are not dead. Byzantine nodes do not count as live. */
  readonly attacks: readonly AttackShare[];
  /**
   * Quantity to which the attacks' shares refer: the number of nodes (`nodes`), or the total weight. For shares of the
   * weight, the Byzantine nodes are drawn by seed (`weight`), or are the heaviest nodes that fit (`heaviest`) or the
   * lightest (`lightest`).
   */
  readonly attackBy: 'nodes' | 'weight' | 'heaviest' | 'lightest';
  /** Faults of the run, with their times and the nodes or links they affect. */
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
