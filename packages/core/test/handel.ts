import { CountingScheme } from '../src/contribution/countingScheme.ts';
import { defaultHandelConfig, type HandelConfig, switchedOff } from '../src/handel/config.ts';
import { Levels } from '../src/handel/levels.ts';
import { Peers } from '../src/handel/peers.ts';
import { List, nil, Pending } from '../src/handel/pending.ts';
import { type HandelState, rankOf } from '../src/handel/state.ts';
import { windowRanks } from '../src/handel/window.ts';
import { type Branching, Tree, type TreeForm } from '../src/overlay/tree.ts';
import type { VerificationPriorities } from '../src/overlay/verificationPriority.ts';
import type { Contribution } from '../src/protocol.ts';
import { rankedById } from './priorities.ts';
import { contributionOf, forgeryOf, signersOf } from './sets.ts';

export interface StateOptions {
  readonly nodes?: number;
  readonly form?: TreeForm;
  readonly branching?: Branching;
  readonly id?: number;
  readonly config?: Partial<HandelConfig>;
  readonly priorities?: VerificationPriorities;
}

/** The state of a node, for the functions that work on it, and the words in which their tests speak of it. */
export class StateBench {
  readonly scheme: CountingScheme;
  readonly state: HandelState;

  constructor({
    nodes = 16,
    form = 'spread',
    branching = 2,
    id = 0,
    config = {},
    priorities = rankedById(nodes, form),
  }: StateOptions = {}) {
    const tree = new Tree(nodes, form, branching);
    this.scheme = new CountingScheme(tree);
    const full: HandelConfig = { ...defaultHandelConfig, threshold: nodes, ...config };
    const window = windowRanks(full.window, nodes, priorities.span);
    this.state = {
      id,
      config: full,
      off: switchedOff(full),
      scheme: this.scheme,
      priorities,
      own: this.scheme.individual(id),
      window,
      levels: new Levels(tree, id, window.initial),
      pending: new Pending(tree.levels),
      peers: new Peers(),
    };
  }

  /** A valid contribution over a level's peers; the test lets go of it with the bench. */
  of(level: number, signers: Iterable<number>): Contribution {
    return contributionOf(this.scheme, this.scheme.tree.peerBlock(this.state.id, level), signers);
  }

  forged(level: number, signers: Iterable<number>): Contribution {
    return forgeryOf(this.scheme, this.scheme.tree.peerBlock(this.state.id, level), signers);
  }

  individual(id: number): Contribution {
    return this.scheme.individual(id);
  }

  /** Makes In_l these signers. */
  setIn(level: number, signers: readonly number[]): void {
    this.scheme.release(this.state.levels.in(level));
    this.state.levels.setIn(level, this.of(level, signers), signers.length);
  }

  in(level: number): number[] {
    return signersOf(this.scheme, this.state.levels.in(level));
  }

  /** Takes an individual contribution for verified. */
  addVerified(level: number, ...senders: number[]): void {
    for (const sender of senders) this.state.pending.push(level, List.verified, sender, this.individual(sender));
  }

  /** Puts contributions into the queue as they are, without asking whether they are of use. */
  queue(
    level: number,
    sender: number,
    { aggregate, individual }: { aggregate?: Contribution; individual?: Contribution },
  ): void {
    const { pending } = this.state;
    const entry = pending.queue(level, sender, rankOf(this.state, sender));
    if (aggregate !== undefined) pending.setAggregate(entry, aggregate);
    if (individual !== undefined) pending.setIndividual(entry, individual);
  }

  /** Who has an entry in a list of a level, in the list's order. */
  senders(level: number, list: number): number[] {
    return this.entries(level, list).map((entry) => entry.sender);
  }

  /** The entries of a list: sender, and who is in the aggregate and in the individual contribution. */
  entries(level: number, list: number): { sender: number; aggregate: number[]; individual: number[] }[] {
    const { pending } = this.state;
    const found = [];
    for (let entry = pending.head(level, list); entry !== nil; entry = pending.next(entry)) {
      found.push({
        sender: pending.sender(entry),
        aggregate: signersOf(this.scheme, pending.aggregate(entry)),
        individual: signersOf(this.scheme, pending.individual(entry)),
      });
    }
    return found;
  }
}
