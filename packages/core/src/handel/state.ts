import type { AggregationScheme } from '../contribution/scheme.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import type { Contribution } from '../protocol.ts';
import type { HandelConfig, Mechanism } from './config.ts';
import type { Levels } from './levels.ts';
import type { Peers } from './peers.ts';
import type { Pending } from './pending.ts';

/** All that a node is made of (v1.03 section 3.4); the functions beside this file read and change it, the node routes to them. */
export interface HandelState {
  readonly id: number;
  readonly config: HandelConfig;
  /** Mechanisms that an experiment switched off. */
  readonly off: Readonly<Record<Mechanism, boolean>>;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** In_0, the node's individual contribution. */
  readonly own: Contribution;
  readonly levels: Levels;
  readonly pending: Pending;
  readonly peers: Peers;
}

/** The rank of a sender now: its VP, a whole span further down for each contribution of its that was verified (v1.0 section 3.6). */
export function rankOf(state: HandelState, sender: number): number {
  const rank = state.priorities.rank(state.id, sender);
  return state.off['rank-growth'] ? rank : rank + state.priorities.span * state.peers.verified(sender);
}
