import type { Contribution } from '../../protocol.ts';
import type { HandelRules } from '../options.ts';
import type { SharedState } from './memory.ts';
import { type PendingList, visitPending } from './pending.ts';
import type { Choice } from './selection.ts';

/**
 * View of the internals of a `HandelNode` for checkers, displays and tests. The view and its contributions are lent
 * until the next call to a node of the same memory.
 */
export class HandelInspector {
  /** The node's whole state. */
  readonly state: SharedState;
  /** Contributions that the node is verifying: none, one, or a batch. */
  readonly checking: readonly Choice[];
  /** Weight of the last output; 0 before the first output. */
  readonly bestOutput: number;

  constructor(state: SharedState, checking: readonly Choice[], bestOutput: number) {
    this.state = state;
    this.checking = checking;
    this.bestOutput = bestOutput;
  }

  get id(): number {
    return this.state.id;
  }

  /** Rules of a variant. Empty for the paper's rules. */
  get rules(): HandelRules {
    return this.state.ownRules ?? {};
  }

  /** Number of integers that pending contributions and facts about peers occupy. */
  get keptInts(): number {
    return this.state.pending.ints + this.state.peers.ints;
  }

  /** Upper bound of {@link keptInts} so far: the sum of the maxima of both parts. */
  get maxInts(): number {
    return this.state.pending.maxInts + this.state.peers.ints;
  }

  /** Returns the weight of In_l. */
  inWeight(level: number): number {
    return this.state.levels.inWeight(level);
  }

  /** Returns In_l. */
  in(level: number): Contribution {
    return this.state.levels.in(level);
  }

  /** Calls a function for each contribution on one list of a level. */
  forEachContribution(
    level: number,
    list: PendingList,
    visit: (sender: number, aggregate: Contribution, individual: Contribution) => void,
  ): void {
    visitPending(this.state.pending, level, list, visit);
  }
}
