import { type AggregationScheme, requireNodeArguments } from '../contribution/scheme.ts';
import { screenForm } from '../contribution/screening.ts';
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
    about: 'action on a level without any answer: leave the level, or wait for a contribution',
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
 * A node of San Fermín (Cappos and Hartman, NSDI 2008; v1.03 section 8.1), for contributions that can be verified. From
 * level 1 up, the node swaps aggregates with one partner from each level's peer set. If partners do not answer in time,
 * it asks the next ones. The {@link ExhaustedRule} says what happens after the last partner of a level.
 *
 * The first contribution for a level counts, even if the node did not ask for it or has not reached that level yet. The
 * attack in v1.03 section 8.1 exploits this rule. Every contribution is verified before it is aggregated, and an invalid
 * one counts as no answer. In the fail-silent model no node sends invalid contributions, so their senders are not
 * blacklisted.
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
   * Aggregate with which the node entered each level, from 1 to L + 1. Later requests on a level are answered with the
   * same aggregate.
   */
  readonly #aggregates: Int32Array;
  /** For each level, the first contribution that arrived and is neither being verified nor used, or noContribution. */
  readonly #received: Int32Array;
  /** Sender of each contribution in `#received`. */
  readonly #senders: Int32Array;
  /** Peers that wait for an answer on each level that the node has not entered yet, in order of their requests. */
  readonly #waiting: (Set<number> | undefined)[] = [];
  /** Current level: 0 before the start, L + 1 after the last level. */
  #level = 0;
  /** Number of partners contacted on the current level. */
  #contacted = 0;
  /**
   * Number that identifies the timers of the current level. Timers of earlier levels have other numbers and are
   * ignored.
   */
  #timer = 0;

  /** @throws RangeError for an id, a threshold or a setting out of range, and for a tree that is not binary. */
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
    const { levels, branching } = scheme.tree;
    if (branching !== 2) throw new RangeError(expected('scheme.tree.branching', '2', branching));
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
    this.#aggregates = new Int32Array(levels + 2);
    this.#aggregates[1] = own;
    this.#received = new Int32Array(levels + 1);
    this.#senders = new Int32Array(levels + 1);
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
    if (flags === 0) this.#onRequest(from, level);
    if (level < this.#level || this.#received[level] !== noContribution) return;
    this.#scheme.retain(aggregate);
    this.#received[level] = aggregate;
    this.#senders[level] = from;
    if (level === this.#level && !this.#verification.underWay) this.#verifyReceived();
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
    } else if (this.#received[level] !== noContribution) {
      this.#verifyReceived();
    } else if (this.#contacted === 0) {
      this.#askNext();
    }
    this.#scheme.release(contribution);
  }

  /**
   * Answers a request immediately if it is for the current level or a level that the node has left. A request for a
   * later level is answered when the node enters that level.
   */
  #onRequest(from: number, level: number): void {
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
    this.#contacted = 0;
    this.#timer++;
    this.#outputs.offer(this.#aggregates[level]!);
    if (level > this.#scheme.tree.levels) return;
    for (const partner of this.#waiting[level] ?? []) this.#answer(partner, level);
    this.#waiting[level] = undefined;
    if (this.#received[level] === noContribution) this.#askNext();
    else this.#verifyReceived();
  }

  /** Leaves the current level for the next level, with the contribution from the swap or without a contribution. */
  #leave(contribution: Contribution): void {
    const level = this.#level;
    const block = this.#scheme.tree.ownBlock(this.#id, level + 1);
    this.#aggregates[level + 1] = this.#scheme.aggregate(block, this.#aggregates[level]!, contribution);
    this.#scheme.release(this.#received[level]!);
    this.#received[level] = noContribution;
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
    if (this.#contacted === size) {
      if (size === 0 || this.#exhausted === 'leave') this.#leave(noContribution);
      return;
    }
    const index = this.#id - tree.start(tree.ownBlock(this.#id, level));
    const end = Math.min(size, this.#contacted + this.#candidates);
    for (; this.#contacted < end; this.#contacted++) {
      const partner = tree.start(block) + ((index + this.#contacted) % size);
      this.#port.send(partner, level, this.#aggregates[level]!, noContribution, 0);
    }
    this.#port.setTimer(this.#replyTimeoutUs, this.#timer);
  }

  #answer(to: number, level: number): void {
    this.#port.send(to, level, this.#aggregates[level]!, noContribution, MessageFlag.answer);
  }

  #verifyReceived(): void {
    const level = this.#level;
    const contribution = this.#received[level]!;
    this.#received[level] = noContribution;
    this.#verification.begin(level, this.#senders[level]!, contribution);
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
