import { type Contribution, ForwardingPort, noContribution, type Port, type ProtocolNode } from '@tutti/core';
import {
  addMember,
  Duty,
  emptySet,
  HornNode,
  type HornNodeOptions,
  HornTopic,
  hasMember,
  type MemberSet,
  outranks,
  topicOfAggregates,
  type ValidatorRole,
} from '@tutti/core/internal/horn';

export interface EveNodeOptions extends HornNodeOptions {
  readonly role: ValidatorRole;
  /** Whether it casts its vote. */
  readonly casts: boolean;
  /** A vote that she has, of her own validators or verified; lent. */
  vote(place: number): Contribution;
}

const timer = { aggregate: 12, collect: 13 } as const;

/**
 * One of Eve's validators. It contains an honest one that votes, if she wants it to, and relays, but has no duties. Eve
 * performs these herself, with what the honest one verifies.
 */
export class EveNode implements ProtocolNode {
  readonly #options: EveNodeOptions;
  readonly #inner: HornNode;
  readonly #verified: MemberSet;
  /** Her first place in the subcommittee. */
  readonly #start: number;
  /**
   * For each subcommittee, the aggregate that her collection would contain, and its author; noContribution if there is
   * none.
   */
  readonly #best: Int32Array;
  readonly #bestAuthor: Int32Array;
  /** What the honest node has under verification. */
  #topic = 0;
  #author = 0;
  #checking: Contribution = noContribution;

  constructor(options: EveNodeOptions) {
    const { id, subcommitteeOrder, committeeOrder, duties, port } = options;
    this.#options = options;
    this.#start = (id >>> subcommitteeOrder) << subcommitteeOrder;
    this.#verified = emptySet(2 ** subcommitteeOrder);
    const isCollector = options.collects && (duties & Duty.collector) !== 0;
    this.#best = new Int32Array(isCollector ? 2 ** (committeeOrder - subcommitteeOrder) : 0);
    this.#bestAuthor = new Int32Array(this.#best.length);
    const watched = new WatchedPort(port, (contribution, topic, author) => {
      this.#topic = topic;
      this.#author = author;
      this.#checking = contribution;
    });
    this.#inner = new HornNode({ ...options, votes: options.casts, duties: 0, port: watched });
    if (options.casts) addMember(this.#verified, id - this.#start);
  }

  start(): void {
    const { role, duties, port, votes } = this.#options;
    this.#inner.start();
    if (!votes) return;
    const { aggregateUs, collectUs } = role.clock;
    if ((duties & Duty.aggregator) !== 0) port.setTimer(aggregateUs, timer.aggregate);
    if (this.#best.length > 0) port.setTimer(collectUs, timer.collect);
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    // The honest node does not know what she has said beside it.
    if (individual === this.#options.own) return;
    this.#inner.onMessage(from, level, aggregate, individual, flags);
  }

  onTimer(which: number): void {
    if (which === timer.aggregate) this.#aggregate();
    else if (which === timer.collect) this.#collect();
    else this.#inner.onTimer(which);
  }

  onVerified(ticket: number, valid: boolean): void {
    if (valid && this.#topic === HornTopic.subnet) addMember(this.#verified, this.#author - this.#start);
    if (valid && this.#topic === HornTopic.committee) this.#keepBest(this.#checking, this.#author);
    this.#inner.onVerified(ticket, valid);
  }

  #aggregate(): void {
    const { role, id, scheme, subcommitteeOrder, collects, vote } = this.#options;
    const chosen = role.aggregate(this.#verified);
    const block = scheme.block(this.#options.own) >>> subcommitteeOrder;
    let aggregate: Contribution = noContribution;
    for (let member = 0; member < 2 ** subcommitteeOrder; member++) {
      if (hasMember(chosen, member)) aggregate = this.#joined(block, aggregate, vote(this.#start + member));
    }
    if (aggregate === noContribution) return;
    this.#publish(topicOfAggregates(collects), aggregate);
    if (collects) this.#keepBest(aggregate, id);
    scheme.release(aggregate);
  }

  #keepBest(aggregate: Contribution, author: number): void {
    if (this.#best.length === 0) return;
    const { role, scheme } = this.#options;
    const subcommittee = scheme.block(aggregate) & (this.#best.length - 1);
    const before = this.#best[subcommittee]!;
    if (
      before !== noContribution &&
      !outranks(
        role.rank(author, scheme.weight(aggregate)),
        role.rank(this.#bestAuthor[subcommittee]!, scheme.weight(before)),
      )
    )
      return;
    scheme.retain(aggregate);
    if (before !== noContribution) scheme.release(before);
    this.#best[subcommittee] = aggregate;
    this.#bestAuthor[subcommittee] = author;
  }

  #collect(): void {
    const { role, scheme, own, committeeOrder } = this.#options;
    const block = scheme.block(own) >>> committeeOrder;
    let collection: Contribution = noContribution;
    if (role.collection === 'own-vote') {
      collection = this.#joined(block, noContribution, own);
    } else if (role.collection === 'best') {
      for (const best of this.#best) if (best !== noContribution) collection = this.#joined(block, collection, best);
    }
    if (collection === noContribution) return;
    this.#publish(HornTopic.global, collection);
    scheme.release(collection);
  }

  /** Adds to what was joined before, and releases that. */
  #joined(block: number, before: Contribution, more: Contribution): Contribution {
    const { scheme } = this.#options;
    const together = scheme.aggregate(block, before, more);
    if (before !== noContribution) scheme.release(before);
    return together;
  }

  #publish(topic: HornTopic, aggregate: Contribution): void {
    const { neighbours, own, port } = this.#options;
    for (const neighbour of neighbours[topic]!) port.send(neighbour, topic, aggregate, own, 0);
  }
}

/** A port that says what the node has verified. */
class WatchedPort extends ForwardingPort {
  readonly #onVerify: (contribution: Contribution, topic: number, author: number) => void;

  constructor(port: Port, onVerify: (contribution: Contribution, topic: number, author: number) => void) {
    super(port);
    this.#onVerify = onVerify;
  }

  override verify(contribution: Contribution, topic: number, author: number): number {
    this.#onVerify(contribution, topic, author);
    return super.verify(contribution, topic, author);
  }
}
