import { type Contribution, ForwardingPort, noContribution, type Port, TraceKind } from '@tutti/core';
import { Slab, stakeWeightOf } from '@tutti/core/packed';
import type { AttackSetting } from './attack.ts';
import { listInts, RankedLists } from './rankedLists.ts';

/**
 * Columns of a level's line: In_l, retained, its weight, and the number of its changes; the size of the window, in
 * ranks; the number of peers; the best waiting rank; and the list of senders with waiting contributions. Level 0 is
 * unused.
 */
const column = { in: 0, inWeight: 1, improvements: 2, window: 3, size: 4, best: 5, waiting: 6 } as const;
const columns = column.waiting + listInts;

/** Best rank of a level without useful waiting contributions. This value is higher than any rank. */
const noRank = 0x7fffffff;
/** Value of a best rank that is not computed yet. */
const unknown = -1;

/** Number of bits of the sender's id in a contribution being verified; the level is in the bits above the id. */
const idBits = 20;
/** Returns the level of a contribution being verified. */
export const levelOf = (checked: number): number => checked >>> idBits;
/** Returns the sender of a contribution being verified. */
export const senderOf = (checked: number): number => checked & ((1 << idBits) - 1);

/** Memory of the shadows of a coalition's victims. */
export class ShadowMemory {
  readonly slab = new Slab();
  readonly lists = new RankedLists(this.slab);
}

/**
 * Everything that an adversary that reads all messages (v1.03 section 2.3) and knows the code can know about a Handel
 * node: its current verification, the waiting contributions of honest senders, and all nodes' ranks. The adversary
 * learns all this by wrapping the node's port, which behaves as before.
 */
export class ShadowState {
  readonly id: number;
  /** Number of levels, L. */
  readonly levels: number;
  readonly #setting: AttackSetting;
  readonly #slab: Slab;
  readonly #lists: RankedLists;
  /** Address, in the slab, of the records of the node's levels. */
  readonly #lines: number;
  /** Contributions being verified: none, one, or a batch. */
  readonly #checked: number[] = [];
  /** Ticket of the last verification. */
  #ticket = 0;
  /** Number of waiting contributions at all levels, at most one per sender. */
  #waitingCount = 0;
  /** Number of verified valid contributions, by sender. */
  readonly #verified = new Map<number, number>();

  constructor(setting: AttackSetting, id: number, { slab, lists }: ShadowMemory) {
    const { tree } = setting.scheme;
    this.id = id;
    this.levels = tree.levels;
    this.#setting = setting;
    this.#slab = slab;
    this.#lists = lists;
    this.#lines = slab.reserve((tree.levels + 1) * columns);
    for (let level = 1; level <= tree.levels; level++) this.#set(level, column.size, tree.size(this.block(level)));
  }

  /**
   * Returns the node's port, wrapped in an observer, and resets the shadow. The first call precedes all events; each
   * later call means that the node has lost its state and restarts.
   */
  watch(port: Port): Port {
    this.#forget();
    return new WatchedPort(port, this);
  }

  block(level: number): number {
    return this.#setting.scheme.tree.peerBlock(this.id, level);
  }

  size(level: number): number {
    return this.#get(level, column.size);
  }

  /** Returns the number of changes of In_l, so that values that depend on it can be cached. */
  improvements(level: number): number {
    return this.#get(level, column.improvements);
  }

  /** Returns whether the level's window has at least its initial size. */
  isTrusted(level: number): boolean {
    return this.#get(level, column.window) >= this.#setting.rules.initialWindow;
  }

  /** Returns the node's current rank for a sender (v1.0 section 3.6). */
  rank(sender: number): number {
    const { priorities, rules } = this.#setting;
    const rank = priorities.rank(this.id, sender);
    const verified = this.#verified.get(sender);
    return verified === undefined ? rank : rank + rules.rankGrowth(verified);
  }

  /** Returns whether a contribution of the given weight, with its sender as a signer, could still improve In_l. */
  isOfUse(level: number, sender: number, weight: number): boolean {
    const inWeight = this.#get(level, column.inWeight);
    if (inWeight === this.#fullWeight(level)) return false;
    return weight > inWeight || !this.#setting.scheme.contains(this.#get(level, column.in), sender);
  }

  /**
   * Returns the best rank among the level's honest senders with a useful waiting contribution; infinite if the level
   * has no such sender.
   */
  bestRank(level: number): number {
    let best = this.#get(level, column.best);
    if (best === unknown) {
      best = this.#findBest(level);
      this.#set(level, column.best, best);
    }
    return best === noRank ? Number.POSITIVE_INFINITY : best;
  }

  /** Handles a message that is about to reach the node. Messages of Byzantine nodes are ignored. */
  onMessage(from: number, level: number, aggregate: Contribution): void {
    if (level < 1 || level > this.levels || this.#setting.isByzantine(from)) return;
    this.#wait(level, from, stakeWeightOf(this.#setting.scheme, aggregate));
  }

  /** Contributions being verified, in the form that {@link levelOf} and {@link senderOf} read; lent. */
  get checked(): readonly number[] {
    return this.#checked;
  }

  get isChecking(): boolean {
    return this.#checked.length > 0;
  }

  /** Returns whether the node awaits the verdicts with this ticket. */
  awaits(ticket: number): boolean {
    return this.isChecking && ticket === this.#ticket;
  }

  /** Handles a verdict that the node is about to get. */
  onVerdict(level: number, sender: number, valid: boolean): void {
    this.#set(level, column.window, this.#setting.rules.nextWindow(this.#get(level, column.window), valid));
    if (!valid) return;
    // Contributions sent during the verification now wait at the sender's new rank.
    const weight = this.#takeWaiting(level, sender);
    this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
    if (weight >= 0) this.#wait(level, sender, weight);
  }

  /** Handles the end of a verification, after all of its verdicts. */
  endCheck(): void {
    this.#checked.length = 0;
  }

  /** Handles the end of an event: if the node verifies nothing now, no useful contribution is waiting. */
  settle(): void {
    if (this.#waitingCount > 0 && !this.isChecking) this.#forgetWaiting();
  }

  /** Handles the start of a verification. */
  onChecking(level: number, sender: number): void {
    this.#checked.push((level << idBits) | sender);
    this.#takeWaiting(level, sender);
  }

  /** Handles the ticket of the verification that has started. @returns the ticket. */
  onTicket(ticket: number): number {
    this.#ticket = ticket;
    return ticket;
  }

  /** Handles a new In_l. */
  onImproved(level: number, contribution: Contribution): void {
    const { scheme } = this.#setting;
    scheme.retain(contribution);
    this.#setIn(level, contribution);
  }

  /** Returns the weight of In_l with all of the level's peers. */
  #fullWeight(level: number): number {
    const { stakes } = this.#setting.scheme;
    return stakes === undefined ? this.size(level) : stakes.blockScore(this.block(level));
  }

  #setIn(level: number, contribution: Contribution): void {
    const { scheme } = this.#setting;
    scheme.release(this.#get(level, column.in));
    this.#set(level, column.in, contribution);
    this.#set(level, column.inWeight, stakeWeightOf(scheme, contribution));
    this.#set(level, column.improvements, this.improvements(level) + 1);
    this.#set(level, column.best, unknown);
  }

  #wait(level: number, sender: number, weight: number): void {
    const waiting = this.#waiting(level);
    const rank = this.rank(sender);
    const index = this.#lists.indexOf(waiting, rank);
    if (index >= 0) this.#lists.setWeight(waiting, index, weight);
    else {
      this.#lists.insert(waiting, rank, sender, weight);
      this.#waitingCount++;
    }
    const best = this.#get(level, column.best);
    if (rank < best && this.isOfUse(level, sender, weight)) this.#set(level, column.best, rank);
    else if (rank === best && !this.isOfUse(level, sender, weight)) this.#set(level, column.best, unknown);
  }

  /** Removes a sender's waiting contribution. @returns its weight; -1 if no contribution of the sender waited. */
  #takeWaiting(level: number, sender: number): number {
    if (this.#waitingCount === 0) return -1;
    const waiting = this.#waiting(level);
    const rank = this.rank(sender);
    const index = this.#lists.indexOf(waiting, rank);
    if (index < 0) return -1;
    const weight = this.#lists.weight(waiting, index);
    this.#lists.removeAt(waiting, index);
    this.#waitingCount--;
    if (rank === this.#get(level, column.best)) this.#set(level, column.best, unknown);
    return weight;
  }

  #findBest(level: number): number {
    const waiting = this.#waiting(level);
    const count = this.#lists.length(waiting);
    for (let index = 0; index < count; index++) {
      const isOfUse = this.isOfUse(level, this.#lists.sender(waiting, index), this.#lists.weight(waiting, index));
      if (isOfUse) return this.#lists.rank(waiting, index);
    }
    return noRank;
  }

  #forgetWaiting(): void {
    for (let level = 1; level <= this.levels; level++) {
      this.#lists.clear(this.#waiting(level));
      this.#set(level, column.best, noRank);
    }
    this.#waitingCount = 0;
  }

  #forget(): void {
    this.endCheck();
    this.#verified.clear();
    for (let level = 1; level <= this.levels; level++) {
      this.#setIn(level, noContribution);
      this.#set(level, column.window, this.#setting.rules.initialWindow);
    }
    this.#forgetWaiting();
  }

  #waiting(level: number): number {
    return this.#lines + level * columns + column.waiting;
  }

  #get(level: number, which: number): number {
    return this.#slab.ints[this.#lines + level * columns + which]!;
  }

  #set(level: number, which: number, value: number): void {
    this.#slab.ints[this.#lines + level * columns + which] = value;
  }
}

/** A port that forwards all calls and reports them to a node's shadow. */
class WatchedPort extends ForwardingPort {
  readonly #shadow: ShadowState;

  constructor(port: Port, shadow: ShadowState) {
    super(port);
    this.#shadow = shadow;
  }

  override verify(contribution: Contribution, level: number, peer: number): number {
    this.#shadow.onChecking(level, peer);
    return this.#shadow.onTicket(super.verify(contribution, level, peer));
  }

  override verifyBatch(
    contributions: readonly Contribution[],
    levels: readonly number[],
    peers: readonly number[],
  ): number {
    for (const [place, level] of levels.entries()) this.#shadow.onChecking(level, peers[place]!);
    return this.#shadow.onTicket(super.verifyBatch(contributions, levels, peers));
  }

  override trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    if (kind === TraceKind.levelImproved) this.#shadow.onImproved(level, contribution);
    super.trace(kind, level, peer, contribution);
  }
}
