import { type AggregationScheme, requireNodeArguments } from '../contribution/scheme.ts';
import { screenForm } from '../contribution/screening.ts';
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
import { Outputs } from './union.ts';
import { Verification } from './verification.ts';

/**
 * Behaviour of a node after all partners of a level have failed to answer. With `leave`, the node leaves the level
 * without a contribution from that level's peers. With `wait`, the node stays on the level until a contribution
 * arrives.
 */
export const exhaustedRules = ['leave', 'wait'] as const;
/** Behaviour after the last partner: one of {@link exhaustedRules}. */
export type ExhaustedRule = (typeof exhaustedRules)[number];

/** Settings of a San Fermín node. */
export const sanFerminSettings: SettingsOf<Pick<SanFerminOptions, 'candidates' | 'replyTimeoutMs' | 'exhausted'>> = {
  candidates: { default: 1, range: integers(1, 2 ** 20), about: 'number of partners asked in parallel' },
  replyTimeoutMs: { default: 300, range: periods, about: "time limit for a partner's answer" },
  exhausted: {
    default: 'leave',
    range: oneOf(exhaustedRules),
    about: 'action on a level after all partners failed to answer: leave the level, or wait for later contributions',
  },
};

/** Parameters of a {@link SanFerminNode}. */
export interface SanFerminOptions {
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Number of individual contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /** Number of partners asked at the same time. */
  readonly candidates: number;
  /** Time for which the node waits for an answer before it asks the next partners, ms. */
  readonly replyTimeoutMs: number;
  /** Behaviour after all partners of a level have failed to answer. Default: `leave`. */
  readonly exhausted?: ExhaustedRule;
  /** The node's individual contribution. The node retains this contribution for its whole lifetime. */
  readonly own: Contribution;
  readonly port: Port;
}

/**
 * A node of San Fermín (Cappos and Hartman, NSDI 2008; v1.03 section 8.1), for contributions that can be verified. The
 * node visits the levels of Handel's tree in ascending order, from level 1. The node stays on a level until it has
 * swapped aggregates with one partner from the level's peer set. If partners do not answer in time, the node asks the
 * next partners. After the last partner, the node continues without that level's contributions or waits for a late
 * contribution.
 *
 * The node accepts the first contribution for a level, even if the node did not ask for it or has not reached that
 * level yet. The attack in v1.03 section 8.1 exploits this rule. The node verifies each contribution before aggregating
 * it. The node treats an invalid contribution as no answer. The node keeps no record of senders of invalid
 * contributions, because in the fail-silent model no node sends such contributions.
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
   * Contribution with which the node entered each level, from 1 to L + 1. Later requests on a level are answered with
   * the same contribution.
   */
  readonly #brought: Int32Array;
  /** For each level, the first contribution that arrived and is neither being verified nor used, or noContribution. */
  readonly #offered: Int32Array;
  /** Sender of each contribution in `#offered`. */
  readonly #offerer: Int32Array;
  /** Peers that wait for an answer on each level that the node has not entered yet, in order of their requests. */
  readonly #waiting: (Set<number> | undefined)[] = [];
  /** Current level: 0 before the start, L + 1 after the last level. */
  #level = 0;
  /** Number of partners asked on the current level. */
  #asked = 0;
  /**
   * Number that identifies the timers of the current level. Timers of earlier levels have other numbers and are
   * ignored.
   */
  #timer = 0;

  /** @throws RangeError for an id, a threshold or a setting out of range. */
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
    if (this.#level > 0) throw new RangeError('start: expected one call, got a second call');
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

  /**
   * Asks the next partners, because the last partners have not answered in time, or waits for a verification in
   * progress.
   */
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
   * Answers a request immediately if it is for the current level or a level that the node has left. A request for a
   * later level is answered when the node enters that level.
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
   * Enters a level and answers the peers that already wait on that level. The node then verifies a contribution that
   * has already arrived for the level, or asks the first partners.
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

  /** Leaves the current level for the next level, with the contribution from the swap or without a contribution. */
  #leave(contribution: Contribution): void {
    const level = this.#level;
    const block = this.#scheme.tree.ownBlock(this.#id, level + 1);
    this.#brought[level + 1] = this.#scheme.aggregate(block, this.#brought[level]!, contribution);
    this.#scheme.release(this.#offered[level]!);
    this.#offered[level] = noContribution;
    this.#enter(level + 1);
  }

  /**
   * Asks the next partners, beginning with the partner whose index in the peer set equals the node's index in its own
   * subtree (modulo the number of peers). If no partner is left, the node leaves the level or waits on it, according to
   * its exhausted rule.
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
