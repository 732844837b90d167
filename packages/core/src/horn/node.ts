import { requireObject } from '../arguments.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { emptySet, type MemberSet, sizeOf } from '../memberSet.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { Duty } from './committees.ts';
import type { SlotClock } from './parameters.ts';
import {
  collect,
  HornTopic,
  honestRole,
  keepBest,
  noAggregate,
  topicOfAggregates,
  type ValidatorRole,
} from './rules.ts';

/**
 * The interface between a validator and its host: a clock, and a gossip layer that verifies messages and relays them.
 */
export interface HornPort extends Pick<Port, 'setTimer'> {
  /**
   * Publishes a message on a topic under the validator's own signature. The gossip layer passes the message to
   * {@link HornNode.onMessage} of this validator, as it does for all other validators on the topic.
   */
  publish(topic: HornTopic, aggregate: Contribution): void;
  /**
   * Returns the aggregate of the given members of the block's subcommittee, retained once. Only an adversary's port has
   * this method.
   */
  collude?(block: number, members: MemberSet): Contribution;
}

/** Parameters of a {@link HornNode}. */
export interface HornNodeOptions {
  /** Place of the validator; see `assignValidators`. */
  readonly id: number;
  /** Scheme over a tree of the form `packed`, in which committees and subcommittees are blocks. */
  readonly scheme: AggregationScheme;
  /** Number of tree levels that a subcommittee spans: log2 of its size, which is a power of two. */
  readonly subcommitteeOrder: number;
  /** Number of tree levels that a committee spans: log2 of its size, which is a power of two. */
  readonly committeeOrder: number;
  /** Whether collectors merge the aggregates. Without collectors, aggregates go to the global topic. */
  readonly collects: boolean;
  /**
   * Whether the validator votes in this slot. An elected validator performs its duties as an aggregator and a collector
   * in either case.
   */
  readonly casts: boolean;
  /** Duties of the validator, as {@link Duty} bits. */
  readonly duties: number;
  /** Times of the validator's actions. The node does not use the clock of its role. */
  readonly clock: SlotClock;
  /** Decisions of the validator. Default: those of an honest validator. */
  readonly role?: ValidatorRole;
  /**
   * The validator's individual contribution: both its vote and its signature on its aggregates. The node retains this
   * contribution for the node's whole lifetime.
   */
  readonly own: Contribution;
  readonly port: HornPort;
}

/** Timers of a {@link HornNode}: the numbers that it passes to its port's `setTimer`. */
export const HornTimer = { attest: 1, aggregate: 2, collect: 3 } as const;

/**
 * A validator in a slot, with all roles that it may have. The validator votes, aggregates its subcommittee's votes, and
 * merges its committee's aggregates into a collection (Horn: "Horn Protocol", "Collectors"). The validator's port is
 * the gossip layer, which drops duplicates, verifies all other messages, and relays and delivers the valid ones.
 *
 * A message is an aggregate with the author's individual contribution, which represents the author's signature. For a
 * vote, the aggregate and the individual contribution are the same.
 */
export class HornNode {
  readonly #options: HornNodeOptions;
  readonly #role: ValidatorRole;
  /** Votes received so far from the validator's subcommittee, if the validator is an aggregator. */
  #votes: Contribution = noContribution;
  /** Best aggregate of each subcommittee, or {@link noAggregate}; empty if the validator is not a collector. */
  readonly #best: Int32Array;
  /** Rank of each aggregate in `#best`. */
  readonly #ranks = new Map<Contribution, number>();
  #isStarted = false;

  constructor(options: HornNodeOptions) {
    requireObject('options', options);
    requireObject('scheme', options.scheme);
    const { committeeOrder, subcommitteeOrder, scheme, clock, role } = options;
    this.#options = options;
    this.#role = role ?? honestRole(clock);
    scheme.retain(options.own);
    this.#best = new Int32Array(this.#isCollector ? 2 ** (committeeOrder - subcommitteeOrder) : 0).fill(noAggregate);
  }

  start(): void {
    if (this.#isStarted) throw new RangeError('start: expected one call, got a second call');
    this.#isStarted = true;
    const { duties, port, casts, clock } = this.#options;
    if (casts) port.setTimer(clock.attestUs, HornTimer.attest);
    if ((duties & Duty.aggregator) !== 0) port.setTimer(clock.aggregateUs, HornTimer.aggregate);
    if (this.#isCollector) port.setTimer(clock.collectUs, HornTimer.collect);
  }

  onTimer(which: number): void {
    const { own, port, collects } = this.#options;
    if (which === HornTimer.attest) port.publish(HornTopic.subnet, own);
    else if (which === HornTimer.aggregate) this.#publish(topicOfAggregates(collects), this.#aggregate());
    else this.#publish(HornTopic.global, this.#collect());
  }

  /**
   * Handles a message that the gossip layer has verified. Messages on the global topic are not for validators.
   *
   * @returns the reason for the rejection if the message does not have the form that its topic requires, otherwise
   * undefined.
   */
  onMessage(topic: HornTopic, aggregate: Contribution, author: Contribution): ScreeningRefusal | undefined {
    const refusal = this.#screen(topic, aggregate, author);
    if (refusal !== undefined) return refusal;
    if (topic === HornTopic.subnet) this.#addVote(aggregate);
    else if (topic === HornTopic.committee && this.#best.length > 0) this.#keepBest(aggregate, author);
    return undefined;
  }

  get #isCollector(): boolean {
    const { collects, duties } = this.#options;
    return collects && (duties & Duty.collector) !== 0;
  }

  /** Publishes an aggregate, unless it is noContribution, and releases it. */
  #publish(topic: HornTopic, aggregate: Contribution): void {
    if (aggregate === noContribution) return;
    this.#options.port.publish(topic, aggregate);
    this.#options.scheme.release(aggregate);
  }

  #addVote(vote: Contribution): void {
    const { scheme, duties, subcommitteeOrder } = this.#options;
    const before = this.#votes;
    if ((duties & Duty.aggregator) === 0 || !scheme.aggregatable(before, vote)) return;
    this.#votes = scheme.aggregate(scheme.block(vote) >>> subcommitteeOrder, before, vote);
    scheme.release(before);
  }

  /**
   * Returns the aggregate of the votes so far under the validator's role, retained once, or noContribution if there is
   * none.
   */
  #aggregate(): Contribution {
    const { scheme, port, own, subcommitteeOrder } = this.#options;
    const votes = this.#votes;
    const block = scheme.block(own) >>> subcommitteeOrder;
    const verified = votes === noContribution ? emptySet(scheme.tree.size(block)) : scheme.setWords(votes);
    const chosen = this.#role.aggregate(verified);
    if (chosen !== verified) return sizeOf(chosen) === 0 ? noContribution : port.collude!(block, chosen);
    if (votes !== noContribution) scheme.retain(votes);
    return votes;
  }

  #keepBest(aggregate: Contribution, author: Contribution): void {
    const { scheme } = this.#options;
    const subcommittee = scheme.block(aggregate) & (this.#best.length - 1);
    const before = this.#best[subcommittee]!;
    const rank = this.#role.rank(scheme.tree.start(scheme.block(author)), scheme.weight(aggregate));
    keepBest(this.#best, subcommittee, aggregate, (one) => (one === before ? this.#ranks.get(one)! : rank));
    if (this.#best[subcommittee] === before) return;
    scheme.retain(aggregate);
    this.#ranks.set(aggregate, rank);
    if (before === noAggregate) return;
    this.#ranks.delete(before);
    scheme.release(before);
  }

  /**
   * Returns the union of the best aggregates of all subcommittees, retained once, or noContribution if there is none.
   */
  #collect(): Contribution {
    const { scheme, committeeOrder, own } = this.#options;
    const block = scheme.block(own) >>> committeeOrder;
    let collection: Contribution = noContribution;
    const join = (part: Contribution): void => {
      const before = collection;
      collection = scheme.aggregate(block, before, part);
      scheme.release(before);
    };
    collect(this.#role, this.#best, { joinOwn: () => join(own), join });
    return collection;
  }

  /**
   * Returns the reason why a message does not have the form that its topic requires, or undefined if the message has
   * this form.
   */
  #screen(topic: HornTopic, aggregate: Contribution, author: Contribution): ScreeningRefusal | undefined {
    const { scheme, own, subcommitteeOrder, committeeOrder, collects } = this.#options;
    const { tree } = scheme;
    if (aggregate === noContribution) return 'empty-set';
    if (author === noContribution || tree.order(scheme.block(author)) !== 0) return 'not-individual';
    const block = scheme.block(aggregate);
    const leaf = scheme.block(own);
    if (topic === HornTopic.subnet) {
      const isVote = tree.order(block) === 0 && block >>> subcommitteeOrder === leaf >>> subcommitteeOrder;
      if (!isVote) return 'wrong-span';
      return scheme.block(author) === block ? undefined : 'not-individual';
    }
    const order = topic === HornTopic.global && collects ? committeeOrder : subcommitteeOrder;
    if (tree.order(block) !== order) return 'wrong-span';
    if (topic === HornTopic.committee && block >>> (committeeOrder - order) !== leaf >>> committeeOrder)
      return 'wrong-span';
    return scheme.block(author) >>> order === block ? undefined : 'not-individual';
  }
}
