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
 * Behaviour of a node that has asked all partners of a level without an answer. With `leave`, it leaves the level
 * without contributions of it. With `wait`, it stays on the level until a contribution arrives.
 */
export const exhaustedRules = ['leave', 'wait'] as const;
/** One of {@link exhaustedRules}. */
export type ExhaustedRule = (typeof exhaustedRules)[number];

/** Settings of a San Fermin node. */
export const sanFerminSettings: SettingsOf<Pick<SanFerminOptions, 'candidates' | 'replyTimeoutMs' | 'exhausted'>> = {
  candidates: { default: 1, range: integers(1, 2 ** 20), about: 'number of partners asked in parallel' },
  replyTimeoutMs: { default: 300, range: periods, about: "time limit for a partner's answer" },
  exhausted: {
    default: 'leave',
    range: oneOf(exhaustedRules),
    about:
      'action on a level after all its partners failed to answer: leave the level, or wait for later contributions',
  },
};

/** Parameters of a {@link SanFerminNode}. */
export interface SanFerminOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /** Partners asked at a time. */
  readonly candidates: number;
  /** Time to wait for an answer before the next partners are asked, ms. */
  readonly replyTimeoutMs: number;
  /** Behaviour after all partners of a level were asked. Default: `leave`. */
  readonly exhausted?: ExhaustedRule;
  /** The node's individual contribution. The node retains it for as long as it lives. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * A node of San Fermín (Cappos and Hartman, NSDI 2008; v1.03 section 8.1), for contributions that can be verified. It
 * visits the levels of Handel's tree from 1 up. It stays on a level until it has swapped aggregates with one partner of
 * the level's peer set. If partners do not answer in time, it asks the next ones. When none is left, it continues
 * without that level's contributions or waits for a later one.
 *
 * The first contribution for a level counts, even if the node did not ask for it or is not on that level yet. The
 * attack of section 8.1 uses this rule. The node verifies a contribution before it aggregates it. An invalid
 * contribution counts as no answer. The node keeps no record of its sender, because in the fail-silent model no node
 * sends invalid contributions.
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
  /**
   * Per level, from 1 to L + 1: the contribution with which the node entered it. Later requests get the same answer.
   */
  readonly #brought: Int32Array;
  /** Per level: the first contribution that arrived for it, and its sender. */
  readonly #offered: Int32Array;
  readonly #offerer: Int32Array;
  /** Per level that the node has not entered yet: peers that wait for an answer, in order of their requests. */
  readonly #waiting: (Set<number> | undefined)[] = [];
  /** Current level: 0 before the start, L + 1 after the last one. */
  #level = 0;
  /** Number of partners asked on this level. */
  #asked = 0;
  /** Number of the current timer. Timers of earlier partners and levels have other numbers, and are ignored. */
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

  /** Handles a timeout: the last partners have not answered in time. */
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

  /**
   * Answers at once on the current level and on those that the node has left. On later levels it answers when it enters
   * them.
   */
  #onAsked(from: number, level: number): void {
    if (level <= this.#level) {
      this.#answer(from, level);
      return;
    }
    const waiting = this.#waiting[level] ?? new Set();
    this.#waiting[level] = waiting.add(from);
  }

  /**
   * Enters a level. Answers the peers that wait for it, then verifies a contribution that has arrived for it, or asks
   * the first partners.
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

  /** Enters the next level with the contribution of the swap, or without one. */
  #leave(contribution: Contribution): void {
    const level = this.#level;
    const block = this.#scheme.tree.ownBlock(this.#id, level + 1);
    this.#brought[level + 1] = this.#scheme.aggregate(block, this.#brought[level]!, contribution);
    this.#scheme.release(this.#offered[level]!);
    this.#offered[level] = noContribution;
    this.#enter(level + 1);
  }

  /**
   * Asks the next partners, beginning with the one of the same index. If none is left, the node leaves the level or
   * waits on it.
   */
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
