import { type Contribution, ForwardingPort, noContribution, type Port, TraceKind } from '@tutti/core';
import { Slab, stakeWeightOf } from '@tutti/core/packed';
import type { AttackSetting } from './attack.ts';
import { listInts, RankedLists } from './rankedLists.ts';

/**
 * Columns of a level's line: In_l, retained, its weight, and how often it has changed; the size of the window, in ranks;
 * how many peers there are; the best rank that waits; and the list of those who wait. Nothing ever happens on level 0.
 */
const column = { in: 0, inWeight: 1, improvements: 2, window: 3, size: 4, best: 5, waiting: 6 } as const;
const columns = column.waiting + listInts;

/** The best rank where nobody waits: none is as high. */
const nobody = 0x7fffffff;
/** The best rank where it has to be looked for. */
const unknown = -1;

/** A contribution in verification: its level, over its sender's id. */
const idBits = 20;
export const levelOf = (checked: number): number => checked >>> idBits;
export const senderOf = (checked: number): number => checked & ((1 << idBits) - 1);

/** Where the shadows of a coalition's victims lie, and what else it keeps of them. */
export class ShadowMemory {
  readonly slab = new Slab();
  readonly lists = new RankedLists(this.slab);
}

/**
 * What an adversary that reads all messages (v1.03 section 2.3) and knows the code can know about one node of Handel:
 * what it is verifying, which contributions of honest senders wait to be verified, and everybody's rank at it. To learn
 * this the node's port is wrapped, and behaves as before.
 */
export class ShadowState {
  readonly id: number;
  /** L. */
  readonly levels: number;
  readonly #setting: AttackSetting;
  readonly #slab: Slab;
  readonly #lists: RankedLists;
  /** Where the lines of its levels lie. */
  readonly #lines: number;
  /** What is in verification: nothing, one contribution, or a batch. */
  readonly #checked: number[] = [];
  /** How many wait on all levels together: by sender, as far as one can tell. */
  #waitingCount = 0;
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
    this.#forget();
  }

  /** The node's port, watched. A second call means that the node has lost its state and starts again. */
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

  /** How often In_l has changed, by which what depends on it can be remembered. */
  improvements(level: number): number {
    return this.#get(level, column.improvements);
  }

  /** Whether the level's window is at least as large as at first. */
  isTrusted(level: number): boolean {
    return this.#get(level, column.window) >= this.#setting.rules.initialWindow;
  }

  /** The rank of a sender with the node now (v1.0 section 3.6). */
  rank(sender: number): number {
    const { priorities, rules } = this.#setting;
    const rank = priorities.rank(this.id, sender);
    const verified = this.#verified.get(sender);
    return verified === undefined ? rank : rank + rules.rankGrowth(verified);
  }

  /** Whether a contribution of that weight that has its sender in it could still improve In_l. */
  isOfUse(level: number, sender: number, weight: number): boolean {
    const inWeight = this.#get(level, column.inWeight);
    if (inWeight === this.#fullWeight(level)) return false;
    return weight > inWeight || !this.#setting.scheme.contains(this.#get(level, column.in), sender);
  }

  /** The best rank among the honest senders on the level who have something of use waiting; infinite for none. */
  bestRank(level: number): number {
    let best = this.#get(level, column.best);
    if (best === unknown) {
      best = this.#findBest(level);
      this.#set(level, column.best, best);
    }
    return best === nobody ? Number.POSITIVE_INFINITY : best;
  }

  /** An honest node's message is about to reach it. */
  onMessage(from: number, level: number, aggregate: Contribution): void {
    if (level < 1 || level > this.levels || this.#setting.isByzantine(from)) return;
    this.#wait(level, from, stakeWeightOf(this.#setting.scheme, aggregate));
  }

  /** What is being verified, each as {@link levelOf} and {@link senderOf} read it; lent. */
  get checked(): readonly number[] {
    return this.#checked;
  }

  get isChecking(): boolean {
    return this.#checked.length > 0;
  }

  /** The node is about to get a verdict on something that was in verification. */
  onVerdict(level: number, sender: number, valid: boolean): void {
    this.#set(level, column.window, this.#setting.rules.nextWindow(this.#get(level, column.window), valid));
    if (!valid) return;
    // What it has sent since then waits further down.
    const weight = this.#takeWaiting(level, sender);
    this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
    if (weight >= 0) this.#wait(level, sender, weight);
  }

  /** There was a verdict on all that was in verification. */
  endCheck(): void {
    while (this.#checked.length > 0) this.#checked.pop();
  }

  /** The node has handled an event: if it is verifying nothing now, nothing useful is waiting. */
  settle(): void {
    if (this.#waitingCount > 0 && !this.isChecking) this.#forgetWaiting();
  }

  /** The node has a contribution verified. */
  onChecking(level: number, sender: number): void {
    this.#checked.push((level << idBits) | sender);
    this.#takeWaiting(level, sender);
  }

  /** In_l has become this. */
  onImproved(level: number, contribution: Contribution): void {
    const { scheme } = this.#setting;
    scheme.retain(contribution);
    this.#setIn(level, contribution);
  }

  /** What In_l weighs with all of the level's peers in it. */
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

  /** @returns the weight of what the sender has waiting no longer; -1 where it had nothing. */
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
    return nobody;
  }

  #forgetWaiting(): void {
    for (let level = 1; level <= this.levels; level++) {
      this.#lists.clear(this.#waiting(level));
      this.#set(level, column.best, nobody);
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

/** A port that behaves as another one, and tells a node's shadow what the node does. */
class WatchedPort extends ForwardingPort {
  readonly #shadow: ShadowState;

  constructor(port: Port, shadow: ShadowState) {
    super(port);
    this.#shadow = shadow;
  }

  override verify(contribution: Contribution, level: number, peer: number): number {
    this.#shadow.onChecking(level, peer);
    return super.verify(contribution, level, peer);
  }

  override verifyBatch(
    contributions: readonly Contribution[],
    levels: readonly number[],
    peers: readonly number[],
  ): number {
    for (const [place, level] of levels.entries()) this.#shadow.onChecking(level, peers[place]!);
    return super.verifyBatch(contributions, levels, peers);
  }

  override trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    if (kind === TraceKind.levelImproved) this.#shadow.onImproved(level, contribution);
    super.trace(kind, level, peer, contribution);
  }
}
