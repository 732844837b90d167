import { requireMethods, requireObject } from '../arguments.ts';
import { requireScheme } from '../contribution/nodeArguments.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { expected } from '../errors.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import type { Contribution, Port } from '../protocol.ts';
import type { Quorum } from '../stakes/stakes.ts';
import { type HandelConfig, validateHandelConfig } from './config.ts';

/** Numbers of a node's timers: the end of the dissemination period, and the start time of the next level. */
export const HandelTimer = { period: 0, levelStart: 1 } as const;

/** Parameters common to all nodes of a round. */
export interface HandelRound {
  readonly config: HandelConfig;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Minimum weight of an output's signers, in addition to their number. Default: none. */
  readonly quorum?: Quorum | undefined;
}

/** Parameters of a single node. */
export interface HandelPart {
  /** Position of the node in the tree, 0 to N-1. */
  readonly id: number;
  /** In_0, the node's individual contribution. The node retains it for its whole lifetime. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * @throws RangeError for a parameter out of range, and for priorities of a tree other than the scheme's; TypeError for
 * a missing argument.
 */
export function requireRound(options: HandelRound): void {
  requireObject('options', options);
  const { config, scheme, priorities, quorum } = options;
  requireScheme(scheme);
  requireMethods('priorities', priorities, ['rank', 'contact']);
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
  if (priorities.span < nodes)
    throw new RangeError(expected('priorities.span', `at least the ${nodes} nodes of the tree`, priorities.span));
}
