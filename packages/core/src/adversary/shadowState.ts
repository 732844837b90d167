import { type Contribution, noContribution, type Port, TraceKind } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import type { AttackSetting } from './attack.ts';
import { insert, ofRank, type Ranked, remove } from './ranked.ts';

/** What an honest sender has waiting to be verified, as far as one can tell. */
interface Waiting extends Ranked {
  /** Of its last aggregate. */
  weight: number;
}

/** A contribution in verification. */
export interface Checked {
  readonly level: number;
  readonly sender: number;
}

/** A level of the shadowed node; nothing ever happens on level 0, which is the node itself. */
interface Level {
  readonly block: number;
  readonly size: number;
  /** In_l, retained. */
  in: Contribution;
  inWeight: number;
  /** How often In_l has changed. */
  improvements: number;
  /** In ascending order of rank. */
  readonly waiting: Waiting[];
  /** The size of its window, in ranks. */
  window: number;
}

const nothing: readonly Checked[] = [];

/**
 * What an adversary that reads all messages (v1.03 section 2.3) and knows the code can know about one node of Handel:
 * what it is verifying, which contributions of honest senders wait to be verified, and everybody's rank at it. To learn
 * this the node's port is wrapped, and behaves as before.
 */
export class ShadowState {
  readonly id: number;
  /** The levels and senders of what is in verification: nothing, one contribution, or a batch. */
  #checked: readonly Checked[] = nothing;
  readonly #setting: AttackSetting;
  readonly #levels: Level[] = [];
  /** How many wait on all levels together. */
  #waitingCount = 0;
  readonly #verified = new Map<number, number>();

  constructor(setting: AttackSetting, id: number) {
    this.id = id;
    this.#setting = setting;
    const { tree } = setting.scheme;
    for (let level = 0; level <= tree.levels; level++) {
      const block = level === 0 ? tree.leaf(id) : tree.peerBlock(id, level);
      this.#levels[level] = {
        block,
        size: tree.size(block),
        in: noContribution,
        inWeight: 0,
        improvements: 0,
        waiting: [],
        window: setting.rules.initialWindow,
      };
    }
  }

  /** The node's port, watched. A second call means that the node has lost its state and starts again. */
  watch(port: Port): Port {
    this.#forget();
    return new WatchedPort(port, this);
  }

  /** L. */
  get levels(): number {
    return this.#levels.length - 1;
  }

  block(level: number): number {
    return this.#levels[level]!.block;
  }

  size(level: number): number {
    return this.#levels[level]!.size;
  }

  /** How often In_l has changed, by which what depends on it can be remembered. */
  improvements(level: number): number {
    return this.#levels[level]!.improvements;
  }

  /** Whether the level's window is at least as large as at first. */
  isTrusted(level: number): boolean {
    return this.#levels[level]!.window >= this.#setting.rules.initialWindow;
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
    const { size, in: best, inWeight } = this.#levels[level]!;
    return inWeight < size && (weight > inWeight || !this.#setting.scheme.contains(best, sender));
  }

  /** The best rank among the honest senders on the level who have something of use waiting; infinite for none. */
  bestRank(level: number): number {
    const { waiting } = this.#levels[level]!;
    for (let at = 0; at < waiting.length; at++) {
      const { sender, rank, weight } = waiting[at]!;
      if (this.isOfUse(level, sender, weight)) return rank;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** An honest node's message is about to reach it. */
  onMessage(from: number, level: number, aggregate: Contribution): void {
    const waiting = this.#levels[level]?.waiting;
    if (waiting === undefined || this.#setting.isByzantine(from)) return;
    const weight = this.#setting.scheme.weight(aggregate);
    const rank = this.rank(from);
    const known = ofRank(waiting, rank);
    if (known !== undefined) known.weight = weight;
    else {
      insert(waiting, { sender: from, rank, weight });
      this.#waitingCount++;
    }
  }

  get isChecking(): boolean {
    return this.#checked.length > 0;
  }

  /** The node is about to get the result of its verification. @returns what was verified. */
  onVerified(verdicts: readonly boolean[]): readonly Checked[] {
    const checked = this.#checked;
    this.#checked = nothing;
    for (let place = 0; place < checked.length; place++) {
      const { level, sender } = checked[place]!;
      const of = this.#levels[level]!;
      of.window = this.#setting.rules.nextWindow(of.window, verdicts[place]!);
      if (verdicts[place]) this.#growRank(of, sender);
    }
    return checked;
  }

  /** The node has handled an event: if it is verifying nothing now, nothing useful is waiting. */
  settle(): void {
    if (this.#waitingCount > 0 && !this.isChecking) this.#forgetWaiting();
  }

  /** The node has a contribution verified. */
  onChecking(level: number, sender: number): void {
    const one = { level, sender };
    this.#checked = this.isChecking ? [...this.#checked, one] : [one];
    if (remove(this.#levels[level]!.waiting, this.rank(sender))) this.#waitingCount--;
  }

  /** In_l has become this. */
  onImproved(level: number, contribution: Contribution): void {
    const { scheme } = this.#setting;
    const known = this.#levels[level]!;
    scheme.retain(contribution);
    scheme.release(known.in);
    known.in = contribution;
    known.inWeight = scheme.weight(contribution);
    known.improvements++;
  }

  /** Something of the sender's was valid; what it has sent since then waits further down. */
  #growRank({ waiting }: Level, sender: number): void {
    const one = ofRank(waiting, this.rank(sender));
    if (one !== undefined) remove(waiting, one.rank);
    this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
    if (one !== undefined) insert(waiting, { ...one, rank: this.rank(sender) });
  }

  #forgetWaiting(): void {
    for (const { waiting } of this.#levels) waiting.length = 0;
    this.#waitingCount = 0;
  }

  #forget(): void {
    this.#checked = nothing;
    this.#verified.clear();
    this.#forgetWaiting();
    for (const level of this.#levels) {
      this.#setting.scheme.release(level.in);
      level.in = noContribution;
      level.inWeight = 0;
      level.improvements++;
      level.window = this.#setting.rules.initialWindow;
    }
  }
}

/** A port that behaves as another one, and tells a node's shadow what the node does. */
class WatchedPort implements Port {
  readonly #port: Port;
  readonly #shadow: ShadowState;

  constructor(port: Port, shadow: ShadowState) {
    this.#port = port;
    this.#shadow = shadow;
  }

  nowUs(): number {
    return this.#port.nowUs();
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#port.send(to, level, aggregate, individual, flags);
  }

  setTimer(delayUs: number, timer: number): void {
    this.#port.setTimer(delayUs, timer);
  }

  verify(contribution: Contribution, level: number, peer: number): number {
    this.#shadow.onChecking(level, peer);
    return this.#port.verify(contribution, level, peer);
  }

  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number {
    for (const [place, level] of levels.entries()) this.#shadow.onChecking(level, peers[place]!);
    return this.#port.verifyBatch!(contributions, levels, peers);
  }

  output(contribution: Contribution): void {
    this.#port.output(contribution);
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.#port.refuse(level, peer, code);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    if (kind === TraceKind.levelImproved) this.#shadow.onImproved(level, contribution);
    this.#port.trace(kind, level, peer, contribution);
  }
}
