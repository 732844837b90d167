import type {
  Contribution,
  ForgingScheme,
  Port,
  ProtocolNode,
  RandomStream,
  Tree,
  VerificationPriorities,
} from '@tutti/core';

/**
 * A way for Byzantine nodes to behave (v1.03 section 2.3). An attack wraps nodes and ports; the honest code knows
 * nothing of it. Its nodes coordinate: one {@link Coalition} is formed for all of them.
 */
export interface Attack {
  /** As `--attack NAME:SHARE` spells it. */
  readonly name: string;
  /** The paper's section that speaks of it. */
  readonly section: string;
  /** What it aims at, in one sentence. */
  readonly aim: string;
  /** The protocols that it knows how to attack. */
  readonly against: readonly string[];
  form(setting: AttackSetting): Coalition;
  /**
   * The ids that the attacker takes where ids are chosen rather than drawn by seed; default: drawn by seed.
   *
   * @param eligible ids that are still free, in an order drawn by seed.
   * @returns undefined where they are drawn by seed all the same, as a plan may have it.
   */
  choose?(eligible: readonly number[], count: number, setting: PlacementSetting): readonly number[] | undefined;
}

/** What an attacker knows that chooses its ids. */
export interface PlacementSetting {
  readonly tree: Tree;
  readonly priorities: VerificationPriorities;
  /** What the attack should do, if it can be chosen: one word. */
  readonly plan: string | undefined;
}

/** What an adversary that knows the honest nodes' code makes use of. */
export interface HonestRules {
  /** How much further down a sender ranks after this many verifications (v1.0 section 3.6). */
  rankGrowth(verified: number): number;
  readonly initialWindow: number;
  nextWindow(size: number, valid: boolean): number;
}

/** What a coalition knows: all that is public, its own members, and all that they receive. */
export interface AttackSetting {
  readonly protocol: string;
  readonly scheme: ForgingScheme;
  readonly priorities: VerificationPriorities;
  /** Mechanisms that the honest nodes do without: the adversary knows the code that they run. */
  readonly without: readonly string[];
  /** How the rank of a sender grows and a level's window changes with them. */
  readonly rules: HonestRules;
  /** The coalition's ids, ascending. */
  readonly members: readonly number[];
  /** Ids of the honest nodes that take part at first, ascending. */
  readonly victims: readonly number[];
  /** What the attack should do, if it can be chosen: one word. */
  readonly plan: string | undefined;
  /** Whether a node is Byzantine, in this or in another coalition: all of them work together. */
  isByzantine(id: number): boolean;
  /** The individual contribution of a Byzantine node; retained once for the caller. */
  individual(id: number): Contribution;
  /** A node that keeps the protocol, for attackers that deviate from it only here and there. */
  honest(id: number, port: Port): ProtocolNode;
  /** A stream of the run's randomness for a purpose of this attack. */
  random(purpose: string): RandomStream;
}

/** The Byzantine nodes of one attack. */
export interface Coalition {
  /** The node that a member runs. */
  join(id: number, port: ByzantinePort): ProtocolNode;
  /**
   * Wraps an honest node, for the strongest adversary, which sees what reaches the node and chooses the moment. Before
   * or after any of the node's events it may hand the node messages of Byzantine senders, and nothing else.
   */
  around?(victim: ProtocolNode, id: number): ProtocolNode;
  /**
   * Wraps an honest node's port, for the same adversary: it knows the code and all that reaches the node, so it also
   * knows what the node does. It watches, and changes nothing.
   */
  watch?(port: Port, id: number): Port;
  /** Delays a message between any two nodes, up to the bound that the network keeps (v1.03 section 2.3). */
  delayUs?(from: number, to: number, nowUs: number): number;
}

/** What a Byzantine node may ask for beyond an honest node's port. */
export interface ByzantinePort extends Port {
  /**
   * Sends in another's name; the authenticated channel (v1.03 section 2.3) drops it at the receiver, and it is counted.
   */
  sendAs(
    claimed: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void;
  /** Sends bytes, whatever they are; the receiver's decoder reads or refuses them, which is counted. */
  sendBytes(to: number, bytes: Uint8Array): void;
}
