import { requireFunction, requireKnownFields, requireMethods, requireObject } from '../arguments.ts';
import { type AggregationScheme, requireScheme } from '../contribution/scheme.ts';
import { expected } from '../errors.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import type { Contribution, Port } from '../protocol.ts';
import type { Quorum } from '../stakes/stakes.ts';
import { type HandelConfig, validateHandelConfig, type WindowRanks } from './config.ts';

/**
 * Numbers of a node's timers: `period` for the end of a dissemination period, `levelStart` for a level's start time.
 */
export const HandelTimer = { period: 0, levelStart: 1 } as const;

/** Parameters that all nodes of a round have in common. */
export interface HandelRound {
  readonly config: HandelConfig;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Minimum weight of an output's signers, in addition to the threshold for their number. Default: none. */
  readonly quorum?: Quorum | undefined;
}

/** Parameters of a single node. */
export interface HandelPart {
  /** Position of the node in the tree, 0 to N-1. */
  readonly id: number;
  /** In_0, the node's individual contribution. The node retains this contribution for the node's whole lifetime. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * Validates the parameters that all nodes of a round share.
 *
 * @throws RangeError for a parameter out of range, and for priorities or a quorum of a tree other than the scheme's;
 * TypeError for a missing argument.
 */
export function requireRound(options: HandelRound): void {
  requireObject('options', options);
  const { config, scheme, priorities, quorum } = options;
  requireScheme(scheme);
  requireMethods('priorities', priorities, ['rank', 'places', 'contact']);
  const { nodes, form } = scheme.tree;
  validateHandelConfig(config, nodes);
  const ranked = priorities.tree;
  if (ranked !== undefined && (ranked.nodes !== nodes || ranked.form !== form))
    throw new RangeError(
      `priorities: expected ranks for the ${form} tree of ${nodes} nodes, got ranks for the ${ranked.form} tree of ${ranked.nodes}`,
    );
  const staked = quorum?.requirements[0]?.stakes.nodes ?? nodes;
  if (staked !== nodes)
    throw new RangeError(`quorum: expected stakes of the tree's ${nodes} nodes, got stakes of ${staked} nodes`);
  if (!(priorities.span >= nodes))
    throw new RangeError(expected('priorities.span', `at least the ${nodes} nodes of the tree`, priorities.span));
}

/** Unverified contributions of one sender that can improve In_l. */
export interface QueuedEntry {
  readonly level: number;
  readonly sender: number;
  /** Current rank of the sender; 0 is the best rank. */
  readonly rank: number;
  /** Weight that In_l would have with the better of the sender's contributions. */
  readonly score: number;
}

/** State of a node as its rules see it, valid during a call. Contributions in the state are lent to the rule. */
export interface HandelView {
  readonly id: number;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Limits of the windows. */
  readonly windowLimits: WindowRanks;
  /** Number of levels, L. */
  readonly levels: number;
  /** Returns the number of peers of a level. */
  size(level: number): number;
  /** Returns In_l, the best aggregate of the level's contributions. */
  in(level: number): Contribution;
  /** Returns the weight of In_l; a stake score if nodes have different weights. */
  inWeight(level: number): number;
  /** Returns the size of a level's window, in ranks. */
  window(level: number): number;
  /** Returns the senders of the verified individual contributions stored for a level. */
  verified(level: number): readonly number[];
  /** Returns the entries that the node may verify on a level, best-ranked first. */
  queued(level: number): readonly QueuedEntry[];
  /**
   * Returns the entry that the paper's rule would verify on a level: the entry with the best score in the level's
   * window (v1.03 section 3.3); undefined if no entry can improve In_l.
   */
  bestInWindow(level: number): QueuedEntry | undefined;
  /** Returns the score of an aggregate by the paper's rule (v1.03 section 3.3). */
  score(level: number, aggregate: Contribution): number;
}

/**
 * Rules of v1.03 section 3.3 that a variant replaces. A rule is a pure function of its arguments. Aggregation, storage
 * and rejections remain as in the paper.
 */
export interface HandelRules {
  /**
   * Returns the entry to verify next, which must be able to improve In_l, or undefined to verify no entry at present.
   * Default: see docs/concepts/handel.md.
   */
  readonly select?: (node: HandelView) => Pick<QueuedEntry, 'level' | 'sender'> | undefined;
  /**
   * Returns the score of an aggregate, an integer from 0 to 2^31 - 1. An aggregate with a score of at most In_l's
   * weight is pruned. Default: the weight that In_l would have after adding the aggregate.
   */
  readonly score?: (node: HandelView, level: number, aggregate: Contribution) => number;
  /**
   * Returns the size of a level's window after a verification, an integer from 1 to 2^31 - 1. Default:
   * `nextWindowSize`.
   */
  readonly window?: (size: number, isValid: boolean, limits: WindowRanks) => number;
}

const names = ['select', 'score', 'window'] as const satisfies (keyof HandelRules)[];

/** Validates the rules of a variant. @throws TypeError for an unknown name or a rule that is not a function. */
export function requireRules(rules: HandelRules): void {
  requireKnownFields('rules', rules, names);
  for (const name of names) if (rules[name] !== undefined) requireFunction(`rules.${name}`, rules[name]);
}

/** Returns the result of a rule. @throws RangeError unless it is an integer in the allowed range. */
export function resultOf(rule: 'score' | 'window', value: number, min: number): number {
  if (Number.isInteger(value) && value >= min && value <= 0x7fffffff) return value;
  throw new RangeError(expected(`rules.${rule}`, `an integer from ${min} to 2^31 - 1`, value));
}
