import { requireNodeArguments } from '../contribution/nodeArguments.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { expected } from '../errors.ts';
import {
  type Contribution,
  MessageFlag,
  noContribution,
  type Port,
  type ProtocolNode,
  TraceKind,
} from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { integers, oneOf, periods, requireAllIn, type SettingsOf } from '../setting.ts';
import { Outputs } from './outputs.ts';
import { screenForm, Verification } from './verification.ts';

/**
 * What a node does on a level on which it has asked everybody in vain: it leaves the level without its contributions,
 * or waits there for whatever comes later.
 */
export const exhaustedRules = ['leave', 'wait'] as const;
export type ExhaustedRule = (typeof exhaustedRules)[number];

/** Settings of a San Fermin node. */
export const sanFerminSettings: SettingsOf<Pick<SanFerminOptions, 'candidates' | 'replyTimeoutMs' | 'exhausted'>> = {
  candidates: { default: 1, range: integers(1, 2 ** 20), about: 'partners asked at a time' },
  replyTimeoutMs: { default: 300, range: periods, about: 'how long partners have to answer' },
  exhausted: {
    default: 'leave',
    range: oneOf(exhaustedRules),
    about: 'when all of a level were asked in vain: leave it, or wait for what comes later',
  },
};

export interface SanFerminOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /** Partners asked at a time. */
  readonly candidates: number;
  /** How long an answer is waited for before the next are asked, ms. */
  readonly replyTimeoutMs: number;
  /** `leave` by default. */
  readonly exhausted?: ExhaustedRule;
  /** The node's individual contribution; retained for as long as the node lives. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * A node of San Fermín (Cappos and Hartman, NSDI 2008; v1.03 section 8.1), for contributions that can be verified. It
 * goes through the levels of Handel's tree from 1 up and stays on each until it has swapped aggregates with one partner
 * of the level's peer set. Partners that do not answer in time are replaced by the next ones; when none is left, the
 * node goes on without that level's contributions, or waits for what comes later.
 *
 * The first contribution that arrives for a level counts, even if it was not asked for, even before the node is on that
 * level: this is what section 8.1 attacks. It is verified before it is aggregated. An invalid one counts as no answer,
 * and its sender is not remembered, for in the fail-silent model nobody lies.
 */
export class SanFerminNode implements ProtocolNode {
  readonly #id: number;
  readonly #scheme: AggregationScheme;
  readonly #candidates: number;
  readonly #replyTimeoutUs: number;
  readonly #exhausted: ExhaustedRule;
  readonly #port: Port;
  readonly #outputs: Outputs;
  readonly #verification: Verification;
  /** Per level, from 1 to L + 1: what the node brings to it; later requests get the same answer. */
  readonly #brought: Int32Array;
  /** Per level: the first contribution that came for it, and who sent it. */
  readonly #offered: Int32Array;
  readonly #offerer: Int32Array;
  /** Per level that the node has yet to enter: who waits for an answer, in order of asking. */
  readonly #waiting: (Set<number> | undefined)[] = [];
  /** 0 before the start, L + 1 once through. */
  #level = 0;
  /** Partners asked on this level. */
  #asked = 0;
  /** The timer that counts: those of partners given up and of levels left have other numbers. */
  #timer = 0;

  /** @throws RangeError for a setting out of its range. */
  constructor(options: SanFerminOptions) {
    requireNodeArguments(options);
    const {
      id,
      scheme,
      threshold,
      candidates,
      replyTimeoutMs,
      exhausted = sanFerminSettings.exhausted.default,
      own,
      port,
    } = options;
    const { levels } = scheme.tree;
    requireAllIn({ candidates, replyTimeoutMs, exhausted }, sanFerminSettings);
    scheme.retain(own);
    this.#id = id;
    this.#scheme = scheme;
    this.#candidates = candidates;
    this.#replyTimeoutUs = Math.round(replyTimeoutMs * 1000);
    this.#exhausted = exhausted;
    this.#port = port;
    this.#outputs = new Outputs(scheme, port, threshold);
    this.#verification = new Verification(port);
    this.#brought = new Int32Array(levels + 2);
    this.#brought[1] = own;
    this.#offered = new Int32Array(levels + 1);
    this.#offerer = new Int32Array(levels + 1);
  }

  start(): void {
    if (this.#level > 0) throw new RangeError(expected('start', 'to be called once', 'again'));
    this.#enter(1);
  }

  onMessage(from: number, level: number, aggregate: Contribution, _individual: Contribution, flags: number): void {
    const refusal = this.#screen(from, level, aggregate, flags);
    if (refusal !== undefined) {
      this.#port.refuse(level, from, refusal);
      return;
    }
    if (flags === 0) this.#onAsked(from, level);
    if (level < this.#level || this.#offered[level] !== noContribution) return;
    this.#scheme.retain(aggregate);
    this.#offered[level] = aggregate;
    this.#offerer[level] = from;
    if (level === this.#level && !this.#verification.underWay) this.#verifyOffered();
  }

  /** The partners that were asked last have not answered in time. */
  onTimer(timer: number): void {
    if (timer !== this.#timer) return;
    if (this.#verification.underWay) this.#port.setTimer(this.#replyTimeoutUs, timer);
    else this.#askNext();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#verification.end(ticket);
    const level = this.#level;
    const { contribution, sender } = this.#verification;
    if (valid) {
      this.#port.trace(TraceKind.levelImproved, level, sender, contribution);
      this.#leave(contribution);
    } else if (this.#offered[level] !== noContribution) {
      this.#verifyOffered();
    } else if (this.#asked === 0) {
      this.#askNext();
    }
    this.#scheme.release(contribution);
  }

  /** Answers at once on a level that the node is on or has left; on others, when it gets there. */
  #onAsked(from: number, level: number): void {
    if (level <= this.#level) {
      this.#answer(from, level);
      return;
    }
    const waiting = this.#waiting[level] ?? new Set();
    this.#waiting[level] = waiting.add(from);
  }

  /**
   * Enters a level: answers those that have waited for it, and verifies what has arrived for it, or asks the first
   * partners.
   */
  #enter(level: number): void {
    this.#level = level;
    this.#asked = 0;
    this.#timer++;
    this.#outputs.offer(this.#brought[level]!);
    if (level > this.#scheme.tree.levels) return;
    for (const partner of this.#waiting[level] ?? []) this.#answer(partner, level);
    this.#waiting[level] = undefined;
    if (this.#offered[level] === noContribution) this.#askNext();
    else this.#verifyOffered();
  }

  /** Goes on to the next level with what the swap brought, or with nothing. */
  #leave(contribution: Contribution): void {
    const level = this.#level;
    const block = this.#scheme.tree.ownBlock(this.#id, level + 1);
    this.#brought[level + 1] = this.#scheme.aggregate(block, this.#brought[level]!, contribution);
    this.#scheme.release(this.#offered[level]!);
    this.#offered[level] = noContribution;
    this.#enter(level + 1);
  }

  /** Asks the next partners, the one of the same index first; without any left, leaves the level or waits on it. */
  #askNext(): void {
    const { tree } = this.#scheme;
    const level = this.#level;
    const block = tree.peerBlock(this.#id, level);
    const size = tree.size(block);
    if (this.#asked === size) {
      if (size === 0 || this.#exhausted === 'leave') this.#leave(noContribution);
      return;
    }
    const index = this.#id - tree.start(tree.ownBlock(this.#id, level));
    const end = Math.min(size, this.#asked + this.#candidates);
    for (; this.#asked < end; this.#asked++) {
      const partner = tree.start(block) + ((index + this.#asked) % size);
      this.#port.send(partner, level, this.#brought[level]!, noContribution, 0);
    }
    this.#port.setTimer(this.#replyTimeoutUs, this.#timer);
  }

  #answer(to: number, level: number): void {
    this.#port.send(to, level, this.#brought[level]!, noContribution, MessageFlag.answer);
  }

  #verifyOffered(): void {
    const level = this.#level;
    const contribution = this.#offered[level]!;
    this.#offered[level] = noContribution;
    this.#verification.begin(level, this.#offerer[level]!, contribution);
  }

  #screen(from: number, level: number, aggregate: Contribution, flags: number): ScreeningRefusal | undefined {
    const refusal = screenForm(this.#scheme, from, aggregate, flags, MessageFlag.answer);
    if (refusal !== undefined) return refusal;
    const { tree } = this.#scheme;
    if (!(level >= 1 && level <= tree.levels)) return 'level-out-of-range';
    const block = tree.peerBlock(this.#id, level);
    if (tree.size(block) === 0) return 'level-empty';
    if (!tree.contains(block, from)) return 'sender-not-in-peer-set';
    return this.#scheme.block(aggregate) === block ? undefined : 'wrong-span';
  }
}
