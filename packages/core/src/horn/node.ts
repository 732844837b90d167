import type { AggregationScheme } from '../contribution/scheme.ts';
import { requireObject } from '../errors.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { Duty } from './duties.ts';
import {
  collect,
  HornTopic,
  honestRole,
  keepBest,
  noAggregate,
  passesTo,
  topicOfAggregates,
  type ValidatorRole,
} from './rules.ts';
import type { SlotClock } from './slotClock.ts';

export interface HornNodeOptions {
  /** The place of the validator, see `assignValidators`. */
  readonly id: number;
  readonly scheme: AggregationScheme;
  /** Levels of the scheme's tree that a subcommittee and a committee span: both have powers of two of members. */
  readonly subcommitteeOrder: number;
  readonly committeeOrder: number;
  /** Whether collectors join the aggregates; otherwise these go to the global topic. */
  readonly collects: boolean;
  /** Whether its committee votes in this slot; a full node follows the global topic in any case. */
  readonly votes: boolean;
  /** {@link Duty} bits. */
  readonly duties: number;
  readonly clock: SlotClock;
  /**
   * The node's individual contribution: its vote, and its signature under what it aggregates. Retained for as long as
   * the node lives.
   */
  readonly own: Contribution;
  /** Mesh neighbours by {@link HornTopic}; empty where the node is not subscribed. */
  readonly neighbours: readonly Int32Array[];
  readonly port: Port;
}

const timer = { attest: 1, aggregate: 2, collect: 3 } as const;
/** An honest role ranks aggregates without looking at who made them. */
const noAuthor = -1;

/**
 * A validator in a slot with all the roles that it may have: it votes, aggregates its subcommittee's votes, joins its
 * committee's aggregates into a collection, and follows the global topic as a full node does (Horn: "Horn Protocol",
 * "Collectors"). On every topic it verifies what it has not seen, one message at a time in order of arrival, and then
 * forwards it to all its mesh neighbours except the one that it came from.
 *
 * A message is an aggregate with its author's individual contribution, which stands for the author's signature; a vote
 * is its own author's. Everything that it verifies on the global topic is an output, whatever its weight: a threshold
 * is for the fork choice to apply.
 */
export class HornNode implements ProtocolNode {
  readonly #options: HornNodeOptions;
  /** By topic: what of each author has been seen, a bit each. */
  readonly #seen: readonly Uint32Array[];
  /** To be verified, four integers each: aggregate, author's individual contribution, topic, sender. */
  #pending: number[] = [];
  #next = 0;
  /** Of the verification that is under way; 0 where none is. */
  #ticket = 0;
  #aggregate: Contribution = noContribution;
  /** The best aggregate of each subcommittee, where the node collects. */
  readonly #best: Int32Array;
  readonly #role: ValidatorRole;

  constructor(options: HornNodeOptions) {
    requireObject('options', options);
    requireObject('scheme', options.scheme);
    this.#options = options;
    const { committeeOrder, subcommitteeOrder, scheme, collects } = options;
    scheme.retain(options.own);
    const words = (order: number): Uint32Array => new Uint32Array(Math.ceil(2 ** order / 32));
    this.#seen = [
      new Uint32Array(0),
      words(subcommitteeOrder),
      words(committeeOrder),
      new Uint32Array(Math.ceil(scheme.tree.nodes / 32)),
    ];
    this.#best = new Int32Array(
      collects && (options.duties & Duty.collector) !== 0 ? 2 ** (committeeOrder - subcommitteeOrder) : 0,
    ).fill(noAggregate);
    this.#role = honestRole(options.clock);
  }

  start(): void {
    const { duties, port, collects, votes } = this.#options;
    const { clock } = this.#role;
    if (!votes) return;
    port.setTimer(clock.attestUs, timer.attest);
    if ((duties & Duty.aggregator) !== 0) port.setTimer(clock.aggregateUs, timer.aggregate);
    if (collects && (duties & Duty.collector) !== 0) port.setTimer(clock.collectUs, timer.collect);
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const refusal = this.#screen(from, level, aggregate, individual, flags);
    if (refusal !== undefined) {
      this.#options.port.refuse(level, from, refusal);
      return;
    }
    const author = individual === noContribution ? aggregate : individual;
    if (!this.#isNew(level, author)) return;
    this.#options.scheme.retain(aggregate);
    this.#options.scheme.retain(author);
    this.#pending.push(aggregate, author, level, from);
    this.#verifyNext();
  }

  onTimer(which: number): void {
    const { own, scheme, collects } = this.#options;
    if (which === timer.attest) {
      this.#publish(HornTopic.subnet, own, own);
    } else if (which === timer.aggregate) {
      if (this.#aggregate !== noContribution) {
        this.#publish(topicOfAggregates(collects), this.#aggregate, own);
      }
    } else {
      const collection = this.#collect();
      if (collection === noContribution) return;
      this.#publish(HornTopic.global, collection, own);
      scheme.release(collection);
    }
  }

  onVerified(ticket: number, valid: boolean): void {
    if (ticket !== this.#ticket) return;
    const at = this.#next - 4;
    const aggregate = this.#pending[at]!;
    const author = this.#pending[at + 1]!;
    const topic = this.#pending[at + 2]!;
    const sender = this.#pending[at + 3]!;
    this.#ticket = 0;
    if (valid) {
      this.#take(topic, aggregate);
      this.#forward(topic, aggregate, author, sender);
    }
    this.#options.scheme.release(aggregate);
    this.#options.scheme.release(author);
    this.#verifyNext();
  }

  #publish(topic: HornTopic, aggregate: Contribution, author: Contribution): void {
    this.#isNew(topic, author);
    this.#take(topic, aggregate);
    this.#forward(topic, aggregate, author, -1);
  }

  #forward(topic: number, aggregate: Contribution, author: Contribution, from: number): void {
    const individual = topic === HornTopic.subnet ? noContribution : author;
    for (const neighbour of this.#options.neighbours[topic]!) {
      if (passesTo(neighbour, from)) this.#options.port.send(neighbour, topic, aggregate, individual, 0);
    }
  }

  #take(topic: number, aggregate: Contribution): void {
    if (topic === HornTopic.global) this.#options.port.output(aggregate);
    else if (topic === HornTopic.committee) this.#keepBest(aggregate);
    else this.#addVote(aggregate);
  }

  #addVote(vote: Contribution): void {
    const { scheme, duties, subcommitteeOrder } = this.#options;
    if ((duties & Duty.aggregator) === 0) return;
    const before = this.#aggregate;
    this.#aggregate = scheme.aggregate(scheme.block(vote) >>> subcommitteeOrder, before, vote);
    if (before !== noContribution) scheme.release(before);
  }

  #keepBest(aggregate: Contribution): void {
    if (this.#best.length === 0) return;
    const { scheme } = this.#options;
    const subcommittee = scheme.block(aggregate) & (this.#best.length - 1);
    const before = this.#best[subcommittee]!;
    keepBest(this.#best, subcommittee, aggregate, (one) => this.#role.rank(noAuthor, scheme.weight(one)));
    if (this.#best[subcommittee] === before) return;
    scheme.retain(aggregate);
    if (before !== noAggregate) scheme.release(before);
  }

  /** The best of each subcommittee together, retained once; noContribution where there is nothing. */
  #collect(): Contribution {
    const { scheme, id, committeeOrder, own } = this.#options;
    const block = scheme.tree.leaf(id) >>> committeeOrder;
    let collection: Contribution = noContribution;
    const join = (part: Contribution): void => {
      const before = collection;
      collection = scheme.aggregate(block, before, part);
      if (before !== noContribution) scheme.release(before);
    };
    collect(this.#role, this.#best, { joinOwn: () => join(own), join });
    return collection;
  }

  #verifyNext(): void {
    if (this.#ticket !== 0) return;
    if (this.#next === this.#pending.length) {
      this.#pending = [];
      this.#next = 0;
      return;
    }
    const { port, scheme } = this.#options;
    const aggregate = this.#pending[this.#next]!;
    const author = scheme.tree.start(scheme.block(this.#pending[this.#next + 1]!));
    this.#ticket = port.verify(aggregate, this.#pending[this.#next + 2]!, author);
    this.#next += 4;
  }

  /** Marks an author as seen on a topic; false where it was before. */
  #isNew(topic: number, author: Contribution): boolean {
    const seen = this.#seen[topic]!;
    const { scheme } = this.#options;
    const place = scheme.tree.start(scheme.block(author));
    const bit = place % (seen.length * 32);
    const mask = 1 << (bit & 31);
    if ((seen[bit >>> 5]! & mask) !== 0) return false;
    seen[bit >>> 5]! |= mask;
    return true;
  }

  /** Whether a message has the form that its topic wants. */
  #screen(
    from: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): ScreeningRefusal | undefined {
    const { scheme, id, neighbours, subcommitteeOrder, committeeOrder, collects } = this.#options;
    const { tree } = scheme;
    if (flags !== 0) return 'unknown-flags';
    if (neighbours[level] === undefined || neighbours[level].length === 0) return 'level-out-of-range';
    if (!neighbours[level].includes(from)) return 'sender-not-in-peer-set';
    if (aggregate === noContribution) return 'empty-set';
    const block = scheme.block(aggregate);
    const own = tree.leaf(id);
    if (level === HornTopic.subnet) {
      if (tree.order(block) !== 0 || block >>> subcommitteeOrder !== own >>> subcommitteeOrder) return 'wrong-span';
      return individual === noContribution ? undefined : 'not-individual';
    }
    const order = level === HornTopic.global && collects ? committeeOrder : subcommitteeOrder;
    if (tree.order(block) !== order) return 'wrong-span';
    if (level === HornTopic.committee && block >>> (committeeOrder - order) !== own >>> committeeOrder)
      return 'wrong-span';
    if (individual === noContribution) return 'not-individual';
    const author = scheme.block(individual);
    return tree.order(author) === 0 && author >>> order === block ? undefined : 'not-individual';
  }
}
