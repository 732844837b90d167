import { type Contribution, noContribution, type Port, TraceKind } from '../protocol.ts';
import type { AttackSetting } from './attack.ts';

/**
 * What a node has been sent on a level and, as far as one can tell, not yet verified: by sender, the weight of the
 * aggregate.
 */
export type Waiting = Map<number, number>;

/** A contribution in verification. */
interface Checked {
  readonly level: number;
  readonly sender: number;
}

/** A level of the shadowed node; nothing ever happens on level 0, which is the node itself. */
interface Level {
  readonly block: number;
  readonly size: number;
  /** In_l, retained. */
  in: Contribution;
  readonly waiting: Waiting;
  /** The size of its window, in ranks. */
  window: number;
}

/**
 * What an adversary that reads all messages (v1.03 section 2.3) and knows the code can know about one node of Handel:
 * what it is verifying, which contributions of honest senders wait to be verified, and everybody's rank at it. To learn
 * this the node's port is wrapped, and behaves as before.
 */
export class ShadowState {
  readonly id: number;
  /** The levels and senders of what is in verification: nothing, one contribution, or a batch. */
  #checked: Checked[] = [];
  readonly #setting: AttackSetting;
  readonly #levels: Level[] = [];
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
        waiting: new Map(),
        window: setting.rules.initialWindow,
      };
    }
  }

  /** The node's port, watched. A second call means that the node has lost its state and starts again. */
  watch(port: Port): Port {
    this.#forget();
    return {
      nowUs: () => port.nowUs(),
      send: (to, level, aggregate, individual, flags) => port.send(to, level, aggregate, individual, flags),
      setTimer: (delayUs, timer) => port.setTimer(delayUs, timer),
      verify: (contribution, level, peer) => {
        this.#onChecking(level, peer);
        return port.verify(contribution, level, peer);
      },
      verifyBatch: (contributions, levels, peers) => {
        for (const [place, level] of levels.entries()) this.#onChecking(level, peers[place]!);
        return port.verifyBatch!(contributions, levels, peers);
      },
      output: (contribution) => port.output(contribution),
      refuse: (level, peer, code) => port.refuse(level, peer, code),
      trace: (kind, level, peer, contribution) => {
        if (kind === TraceKind.levelImproved) this.#onImproved(level, contribution);
        port.trace(kind, level, peer, contribution);
      },
    };
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

  /** Whether the level's window is at least as large as at first. */
  isTrusted(level: number): boolean {
    return this.#levels[level]!.window >= this.#setting.rules.initialWindow;
  }

  /** The rank of a sender with the node now (v1.0 section 3.6). */
  rank(sender: number): number {
    const { priorities, rules } = this.#setting;
    return priorities.rank(this.id, sender) + rules.rankGrowth(this.#verified.get(sender) ?? 0);
  }

  /** Whether a contribution of that weight that has its sender in it could still improve In_l. */
  isOfUse(level: number, sender: number, weight: number): boolean {
    const { scheme } = this.#setting;
    const { size, in: best } = this.#levels[level]!;
    const inWeight = scheme.weight(best);
    return inWeight < size && (weight > inWeight || !scheme.contains(best, sender));
  }

  /** The best rank among the honest senders on the level who have something of use waiting; infinite for none. */
  bestRank(level: number): number {
    let best = Number.POSITIVE_INFINITY;
    for (const [sender, weight] of this.#levels[level]!.waiting) {
      if (this.isOfUse(level, sender, weight)) best = Math.min(best, this.rank(sender));
    }
    return best;
  }

  /** An honest node's message is about to reach it. */
  onMessage(from: number, level: number, aggregate: Contribution): void {
    const { scheme } = this.#setting;
    if (!this.#setting.isByzantine(from)) this.#levels[level]?.waiting.set(from, scheme.weight(aggregate));
  }

  get isChecking(): boolean {
    return this.#checked.length > 0;
  }

  /** The node is about to get the result of its verification. @returns what was verified. */
  onVerified(verdicts: readonly boolean[]): readonly Checked[] {
    const checked = this.#checked;
    this.#checked = [];
    for (const [place, { level, sender }] of checked.entries()) {
      const of = this.#levels[level]!;
      of.window = this.#setting.rules.nextWindow(of.window, verdicts[place]!);
      if (verdicts[place]) this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
    }
    return checked;
  }

  /** The node has handled an event: if it is verifying nothing now, nothing useful is waiting. */
  settle(): void {
    if (!this.isChecking) for (const { waiting } of this.#levels) waiting.clear();
  }

  #forget(): void {
    this.#checked = [];
    this.#verified.clear();
    for (const level of this.#levels) {
      this.#setting.scheme.release(level.in);
      level.in = noContribution;
      level.window = this.#setting.rules.initialWindow;
      level.waiting.clear();
    }
  }

  #onChecking(level: number, sender: number): void {
    this.#checked.push({ level, sender });
    this.#levels[level]!.waiting.delete(sender);
  }

  #onImproved(level: number, contribution: Contribution): void {
    const { scheme } = this.#setting;
    const known = this.#levels[level]!;
    scheme.retain(contribution);
    scheme.release(known.in);
    known.in = contribution;
  }
}
