import {
  type Contribution,
  type ForgingScheme,
  type Mechanism,
  type Message,
  nextWindowSize,
  type Port,
  type ProtocolNode,
  type RandomStream,
  type Tree,
  type VerificationPriorities,
  type WindowRanks,
} from '@tutti/core';
import { grownBy } from '@tutti/core/packed';

/** Names of the protocols; `protocols` has a row for each. */
export const protocolNames = ['handel', 'complete-graph', 'san-fermin', 'gossip'] as const;
/** One of {@link protocolNames}. */
export type ProtocolName = (typeof protocolNames)[number];

/**
 * A behaviour of Byzantine nodes (v1.03 section 2.3). An attack wraps nodes and ports; the honest code is unaware of
 * it. The attack's nodes coordinate: they form one {@link Coalition}.
 */
export interface Attack {
  /** Name for `--attack NAME:SHARE`. */
  readonly name: string;
  /** Section of the paper that describes the attack. */
  readonly section: string;
  /** Aim of the attack, in one sentence. */
  readonly aim: string;
  /** Protocols that the attack supports. */
  readonly against: readonly ProtocolName[];
  /** Creates the coalition of a run. */
  form(setting: AttackSetting): Coalition;
  /**
   * Returns the ids that the attacker chooses. Attacks without this method get ids drawn by seed.
   *
   * @param eligible ids that are still free, in an order drawn by seed.
   * @param count number of ids to choose, less than the number of eligible ids.
   * @returns undefined if the plan leaves the ids to the seed.
   */
  choose?(eligible: readonly number[], count: number, setting: PlacementSetting): readonly number[] | undefined;
  /** Returns whether a plan chooses the ids. Default: every plan chooses the ids if the attack has `choose`. */
  choosesIds?(plan?: string): boolean;
}

/** Knowledge that an attacker has when it chooses its ids. */
export interface PlacementSetting {
  readonly tree: Tree;
  readonly priorities: VerificationPriorities;
  /** Plan of the attack as one word; undefined for the default plan or an attack without plans. */
  readonly plan: string | undefined;
}

/** Rules of the honest nodes' code that the adversary uses. */
export interface HonestRules {
  /** Returns the increase of a sender's rank after the given number of verifications (v1.0 section 3.6). */
  rankGrowth(verified: number): number;
  /** Initial size of a level's window, in ranks. */
  readonly initialWindow: number;
  /** Returns a window's size after a contribution has been verified (v1.03 section 3.6). */
  nextWindow(size: number, valid: boolean): number;
}

/** Knowledge that a coalition has: all public data, its own members, and everything that they receive. */
export interface AttackSetting {
  readonly protocol: ProtocolName;
  readonly scheme: ForgingScheme;
  readonly priorities: VerificationPriorities;
  /** Mechanisms that are disabled in the honest nodes. The adversary knows the code that the honest nodes run. */
  readonly without: readonly Mechanism[];
  /** Rules by which honest nodes change a sender's rank and a level's window, given the disabled mechanisms. */
  readonly rules: HonestRules;
  /** Ids of the coalition, ascending. */
  readonly members: readonly number[];
  /** Ids of the honest nodes that participate from the beginning of the run, ascending. */
  readonly victims: readonly number[];
  /** Plan of an attack that can be chosen, as one word; undefined for the default plan or an attack without plans. */
  readonly plan: string | undefined;
  /** Returns whether a node is Byzantine, in this or in another coalition. All coalitions work together. */
  isByzantine(id: number): boolean;
  /** Returns the individual contribution of a Byzantine node, retained once for the caller. */
  individual(id: number): Contribution;
  /** Returns a node that follows the protocol, for attackers that deviate from it only occasionally. */
  honest(id: number, port: Port): ProtocolNode;
  /** Returns a stream of the run's randomness for a purpose of this attack. */
  random(purpose: string): RandomStream;
}

/** The Byzantine nodes of one attack. */
export interface Coalition {
  /** Returns the node of a member. */
  join(id: number, port: ByzantinePort): ProtocolNode;
  /**
   * Wraps an honest node for the strongest adversary, which sees every message to the node and chooses the time of its
   * own messages. Before or after any event of the node, the adversary may deliver messages of Byzantine senders, and
   * nothing else.
   */
  around?(victim: ProtocolNode, id: number): ProtocolNode;
  /**
   * Wraps an honest node's port for the strongest adversary. The adversary knows the code and every message to the
   * node, so it can also derive the node's actions. The wrapper observes the calls and changes nothing.
   */
  watch?(port: Port, id: number): Port;
  /** Returns the delay of a message between any two nodes, up to the network's bound (v1.03 section 2.3). */
  delayUs?(from: number, to: number, nowUs: number): number;
}

/** Port of a Byzantine node: the actions of an honest node, and messages that an honest node never sends. */
export interface ByzantinePort extends Port {
  /**
   * Sends a message in the name of `from`, another node. The authenticated channel (v1.03 section 2.3) drops the
   * message at the receiver and counts it.
   */
  sendAs(message: Message): void;
  /** Sends arbitrary bytes. The receiver's decoder reads or rejects them; rejections are counted. */
  sendBytes(to: number, bytes: Uint8Array): void;
}

/** Returns the rules of Handel's code for ranks and windows, which an adversary knows. */
export function honestRules(priorities: VerificationPriorities, window: WindowRanks): HonestRules {
  return {
    rankGrowth: (verified) => grownBy(priorities.span, verified),
    initialWindow: window.initial,
    nextWindow: (size, valid) => nextWindowSize(size, valid, window),
  };
}
