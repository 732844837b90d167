import { CountingScheme } from '../src/contribution/countingScheme.ts';
import { defaultHandelConfig, type HandelConfig } from '../src/handel/config.ts';
import { SharedState } from '../src/handel/packed/memory.ts';
import { type PendingList, visitPending } from '../src/handel/packed/pending.ts';
import { type HandelState, rankOf } from '../src/handel/packed/state.ts';
import { Tree } from '../src/overlay/tree.ts';
import type { Contribution } from '../src/protocol.ts';
import { rankedById } from './priorities.ts';
import { contributionOf, signersOf } from './sets.ts';

export interface StateOptions {
  readonly nodes?: number;
  readonly id?: number;
  readonly config?: Partial<HandelConfig>;
  readonly Scheme?: typeof CountingScheme;
}

/** Test bench with the state of a node, for the functions that work on it. */
export class StateBench {
  readonly scheme: CountingScheme;
  readonly state: HandelState;

  constructor({ nodes = 16, id = 0, config = {}, Scheme = CountingScheme }: StateOptions = {}) {
    const tree = new Tree(nodes);
    this.scheme = new Scheme(tree);
    const all = { ...defaultHandelConfig, threshold: nodes, ...config };
    const state = new SharedState({ config: all, scheme: this.scheme, priorities: rankedById(nodes) });
    const at = state.open(id);
    this.state = state.look(id, this.scheme.individual(id), at.levels, at.pending);
  }

  /** Returns a valid contribution over a level's peers. The contribution lives as long as the bench. */
  of(level: number, signers: Iterable<number>): Contribution {
    return contributionOf(this.scheme, this.scheme.tree.peerBlock(this.state.id, level), signers);
  }

  individual(id: number): Contribution {
    return this.scheme.individual(id);
  }

  setIn(level: number, signers: readonly number[]): void {
    this.scheme.release(this.state.levels.in(level));
    this.state.levels.setIn(level, this.of(level, signers), signers.length);
  }

  in(level: number): number[] {
    return signersOf(this.scheme, this.state.levels.in(level));
  }

  /** Puts contributions into the queue unchanged, without checking whether they are useful. */
  queue(level: number, sender: number, of: Partial<Record<'aggregate' | 'individual', Contribution>>): void {
    const { pending } = this.state;
    const entry = pending.queue(level, sender, rankOf(this.state, sender));
    if (of.aggregate !== undefined) pending.setAggregate(entry, of.aggregate);
    if (of.individual !== undefined) pending.setIndividual(entry, of.individual);
  }

  /** Returns the senders with an entry in a level's list, in the list's order. */
  senders(level: number, list: PendingList): number[] {
    return this.entries(level, list).map((entry) => entry.sender);
  }

  /** Returns the entries of a list: the sender, and the signers of its aggregate and its individual contribution. */
  entries(level: number, list: PendingList): { sender: number; aggregate: number[]; individual: number[] }[] {
    const found: { sender: number; aggregate: number[]; individual: number[] }[] = [];
    visitPending(this.state.pending, level, list, (sender, aggregate, individual) =>
      found.push({
        sender,
        aggregate: signersOf(this.scheme, aggregate),
        individual: signersOf(this.scheme, individual),
      }),
    );
    return found;
  }
}
