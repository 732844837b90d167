import type { AggregationScheme } from '../../contribution/scheme.ts';
import type { VerificationPriorities } from '../../overlay/verificationPriority.ts';
import type { Contribution } from '../../protocol.ts';
import type { Quorum } from '../../stakes/stakes.ts';
import type { HandelConfig, Mechanism, WindowRanks } from '../config.ts';
import type { Levels } from './levels.ts';
import type { Peers } from './peers.ts';
import type { Pending } from './pending.ts';

/**
 * Reason for the choice between levels: the share that an entry adds, its rank (under attack), or a variant's own rule.
 */
export type Rule = 'share' | 'rank' | 'own';

/** Entry to verify next, before its removal from the queue. */
export interface Decision {
  readonly level: number;
  readonly entry: number;
  readonly rule: Rule;
}

/**
 * Whether a decision prunes useless entries while scanning the queue. An explanation prunes nothing; it only caches
 * scores.
 */
export type Pruning = 'prunes' | 'keeps';

/** Rules that a node calls: the paper's functions or a variant's functions. */
export interface RuleSlots {
  /** Chooses the entry to verify next (v1.03 section 3.3). */
  select(state: HandelState, pruning: Pruning): Decision | undefined;
  /** Returns the score of an aggregate (v1.03 section 3.3). */
  score(state: HandelState, level: number, aggregate: Contribution): number;
  /** Returns whether the score of an aggregate exceeds the weight of In_l. */
  isUseful(state: HandelState, level: number, aggregate: Contribution): boolean;
  /** Returns the size of a level's window after a verification (v1.03 section 3.6). */
  window(size: number, isValid: boolean, limits: WindowRanks): number;
}

/**
 * The parts of a node (v1.03 section 3.4). The functions in this folder read and change these parts; the node calls the
 * functions.
 */
export interface HandelState {
  readonly id: number;
  readonly config: HandelConfig;
  /** Limits of a level's window, in ranks. */
  readonly window: WindowRanks;
  /** Mechanisms that an experiment switched off. */
  readonly off: Readonly<Record<Mechanism, boolean>>;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Minimum weight of an output's signers, in addition to the threshold for their number. */
  readonly quorum: Quorum | undefined;
  /** In_0, the node's individual contribution. */
  readonly own: Contribution;
  readonly levels: Levels;
  readonly pending: Pending;
  readonly peers: Peers;
  readonly rules: RuleSlots;
}

/**
 * Returns the current rank of a sender: its VP, plus one span for each of its verified contributions (v1.0 section
 * 3.6).
 */
export function rankOf({ id, off, peers, priorities }: HandelState, sender: number): number {
  const rank = priorities.rank(id, sender);
  return off['rank-growth'] ? rank : rank + grownBy(priorities.span, peers.verified(sender));
}

/**
 * Returns the increase in a sender's rank after `verified` verifications of the sender's contributions. The rank
 * remains a 31-bit integer, so it stops growing after a number of verifications that depends on the span. This limit is
 * at least 32,766 verifications per sender for N up to 65,536, and 2,046 for N = 2^20.
 */
export function grownBy(span: number, verified: number): number {
  return span * Math.min(verified, Math.floor(0x7fffffff / span) - 1);
}
