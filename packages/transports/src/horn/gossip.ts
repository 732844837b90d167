import {
  addMember,
  Duty,
  emptySet,
  type HornHead,
  HornTopic,
  hasMember,
  type MemberSet,
  receiversOn,
  type SlotPlan,
  type TopicPlan,
  topicOfPlace,
} from '@tutti/core/horn';
import { concat, readUint, writeUint } from '@tutti/core/input';
import type { Refusal } from '../refusals.ts';
import { inLaterTurn } from '../transport/turnQueue.ts';
import { lengthBytes } from './hornGroup.ts';

/** The part of a slot's plan that concerns one node: the node's neighbours, and the messages that it may receive. */
export class SlotPart {
  readonly #plan: SlotPlan;
  readonly #node: number;
  readonly #receivers = new Map<TopicPlan, readonly number[]>();
  /** Messages that each node has sent, as indices from {@link indexOf}. */
  readonly #sentBy = new Map<number, MemberSet>();

  constructor(plan: SlotPlan, node: number) {
    this.#plan = plan;
    this.#node = node;
  }

  /** Returns an empty set of messages that are identified by the indices from {@link indexOf}. */
  noMessages(): MemberSet {
    const topics = Object.keys(HornTopic).length;
    return emptySet(topics * this.#plan.parameters.validators);
  }

  /**
   * Returns the index of a message among all messages of the slot, which has at most one message for each pair of topic
   * and author.
   */
  indexOf({ topic, author }: HornHead): number {
    return (topic - HornTopic.subnet) * this.#plan.parameters.validators + author;
  }

  /**
   * Returns the name of the group to which a message belongs: the subcommittee of a vote, or the
   * committee of an aggregate or a collection.
   */
  groupOf({ topic, author }: HornHead): string {
    const { validators, committees, subcommittees } = this.#plan.parameters;
    const groups = topic === HornTopic.subnet ? committees * subcommittees : committees;
    return `${topic} ${Math.floor((author * groups) / validators)}`;
  }

  /** Returns whether the node is a member of the topic of a message. */
  isOn({ topic, author }: HornHead): boolean {
    return topicOfPlace(this.#plan, topic, author).members.includes(this.#node);
  }

  /** Returns the neighbours to which the node sends a message. */
  receivers({ topic, author }: HornHead): readonly number[] {
    return this.#receiversOn(topicOfPlace(this.#plan, topic, author));
  }

  /** Returns all nodes to which the node sends. @param places places of the node's validators. */
  allReceivers(places: readonly number[]): ReadonlySet<number> {
    const { subnets, committees } = this.#plan;
    const topics = places.flatMap((place) =>
      Object.values(HornTopic).map((topic) => topicOfPlace(this.#plan, topic, place)),
    );
    const own = [...subnets, ...committees].filter(({ members }) => members.includes(this.#node));
    return new Set([...topics, ...own].flatMap((topic) => this.#receiversOn(topic)));
  }

  /**
   * Checks the sender, topic and author of a message, and that the sender has not sent the message before. Records the
   * sender of a message that passes. @returns the reason to reject the message, or undefined.
   */
  screen(from: number, head: HornHead): Refusal | undefined {
    const { topic, author } = head;
    const on = topicOfPlace(this.#plan, topic, author);
    if (!on.members.includes(this.#node)) return 'level-empty';
    // Meshes are symmetric: this node sends to the same neighbours from which it receives.
    if (this.#plan.nodeAt[author] !== from && !this.#receiversOn(on).includes(from)) return 'sender-not-in-peer-set';
    const duty = topic === HornTopic.subnet ? 0 : topic === HornTopic.committee ? Duty.aggregator : Duty.collector;
    if ((this.#plan.duties[author]! & duty) !== duty) return 'not-elected';
    const sent = this.#sentBy.get(from) ?? this.noMessages();
    this.#sentBy.set(from, sent);
    const index = this.indexOf(head);
    if (hasMember(sent, index)) return 'second-message';
    addMember(sent, index);
    return undefined;
  }

  #receiversOn(topic: TopicPlan): readonly number[] {
    const receivers = this.#receivers.get(topic) ?? receiversOn(this.#plan, topic, this.#node);
    this.#receivers.set(topic, receivers);
    return receivers;
  }
}

/** Messages to one node that are sent together as a bundle. */
interface Bundle {
  parts: Uint8Array[];
  bytes: number;
}

/** Bundles of messages, by receiver. Messages of one turn of the event loop share packets as far as they fit. */
export class Bundles {
  readonly #maxBytes: number;
  readonly #send: (to: number, bytes: Uint8Array) => void;
  readonly #bundles = new Map<number, Bundle>();
  #scheduled = false;

  /** @param maxBytes maximum length of a bundle of several messages, bytes. */
  constructor(maxBytes: number, send: (to: number, bytes: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  /** Number of receivers with a waiting message. */
  get size(): number {
    return this.#bundles.size;
  }

  /** Adds a message to the bundle for its receiver, which is sent in a later turn. */
  add(to: number, bytes: Uint8Array): void {
    const more = lengthBytes + bytes.length;
    let bundle = this.#bundles.get(to);
    if (bundle !== undefined && bundle.bytes + more > this.#maxBytes) {
      this.#send(to, concat(...bundle.parts));
      bundle = undefined;
    }
    if (bundle === undefined) {
      bundle = { parts: [], bytes: 0 };
      this.#bundles.set(to, bundle);
    }
    const length = new Uint8Array(lengthBytes);
    writeUint(length, 0, lengthBytes, bytes.length);
    bundle.parts.push(length, bytes);
    bundle.bytes += more;
    if (this.#scheduled) return;
    this.#scheduled = true;
    inLaterTurn(() => this.#flush());
  }

  /** Drops the messages that have not been sent. */
  clear(): void {
    this.#bundles.clear();
  }

  #flush(): void {
    this.#scheduled = false;
    const bundles = [...this.#bundles];
    this.#bundles.clear();
    for (const [to, { parts }] of bundles) this.#send(to, concat(...parts));
  }
}

/**
 * Yields the messages in a bundle, where each message follows its length; yields undefined in place of a truncated
 * message.
 */
export function* readBundle(bundle: Uint8Array): Iterable<Uint8Array | undefined> {
  for (let at = 0; at < bundle.length; ) {
    const begin = at + lengthBytes;
    const end = begin > bundle.length ? begin : begin + readUint(bundle, at, begin);
    yield end > bundle.length ? undefined : bundle.subarray(begin, end);
    at = end;
  }
}
