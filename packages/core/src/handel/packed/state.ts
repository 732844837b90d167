import type { AggregationScheme } from '../../contribution/scheme.ts';
import type { VerificationPriorities } from '../../overlay/verificationPriority.ts';
import type { Contribution } from '../../protocol.ts';
import type { Quorum } from '../../stakes/stakes.ts';
import type { HandelConfig, Mechanism, WindowRanks } from '../config.ts';
import type { Levels } from './levels.ts';
import type { Peers } from './peers.ts';
import type { Pending } from './pending.ts';

/**
 * Why an entry goes first between levels: by the share that it adds, under attack by its rank, or by a variant's own
 * rule.
 */
export type Rule = 'share' | 'rank' | 'own';

/** Entry to verify next, before it is taken. */
export interface Decision {
  readonly level: number;
  readonly entry: number;
  readonly rule: Rule;
}

/** Whether a decision prunes useless entries on its way. An explanation changes nothing. */
export type Pruning = 'prunes' | 'keeps';

/** Rules that a node calls: the paper's functions, or those of a variant in their place. */
export interface RuleSlots {
  /** Chooses what to verify next (v1.03 section 3.3). */
  select(state: HandelState, pruning: Pruning): Decision | undefined;
  /** Score of an aggregate (v1.03 section 3.3). */
  score(state: HandelState, level: number, aggregate: Contribution): number;
  /** Whether the score of an aggregate is over the weight of In_l. */
  isUseful(state: HandelState, level: number, aggregate: Contribution): boolean;
  /** Size of a level's window after a verification (v1.03 section 3.6). */
  window(size: number, isValid: boolean, limits: WindowRanks): number;
}

/**
 * All that a node is made of (v1.03 section 3.4); the functions beside this file read and change it, the node routes to
 * them.
 */
export interface HandelState {
  readonly id: number;
  readonly config: HandelConfig;
  /** The limits of a level's window, in ranks. */
  readonly window: WindowRanks;
  /** Mechanisms that an experiment switched off. */
  readonly off: Readonly<Record<Mechanism, boolean>>;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** What an output's signers must weigh, besides being so many. */
  readonly quorum: Quorum | undefined;
  /** In_0, the node's individual contribution. */
  readonly own: Contribution;
  readonly levels: Levels;
  readonly pending: Pending;
  readonly peers: Peers;
  readonly rules: RuleSlots;
}

/**
 * The rank of a sender now: its VP plus a whole span for each of its contributions that has been verified (v1.0 section
 * 3.6).
 */
export function rankOf({ id, off, peers, priorities }: HandelState, sender: number): number {
  const rank = priorities.rank(id, sender);
  return off['rank-growth'] ? rank : rank + grownBy(priorities.span, peers.verified(sender));
}

/**
 * How much a rank has grown after this many verifications of its sender. It stays an integer of 31 bits and stops
 * growing after 32,766 verifications of a sender up to N = 65,536, each for another signer of its level, and after
 * 2,046 at 2^20.
 */
export function grownBy(span: number, verified: number): number {
  return span * Math.min(verified, Math.floor(0x7fffffff / span) - 1);
}
