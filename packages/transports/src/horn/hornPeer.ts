import { type Contribution, noContribution } from '@tutti/core';
import {
  Duty,
  HornNode,
  HornTopic,
  longestHornMessageBytes,
  readHornHead,
  receiversOn,
  type TopicPlan,
  topicOfPlace,
  type ValidatorRole,
} from '@tutti/core/horn';
import { addMember, emptySet, hasMember, type MemberSet, packBlock, union, type VoteSet } from '@tutti/core/horn-rules';
import {
  concat,
  readUint,
  requireBytes,
  requireFunction,
  requireMethods,
  requireObject,
  writeUint,
} from '@tutti/core/input';
import { Channel } from '../channel/channel.ts';
import { Counts } from '../counts.ts';
import type { Refusal } from '../refusals.ts';
import { processClock } from '../runtime/clockFromNow.ts';
import { type LinkCounts, MemberLink } from '../runtime/memberLink.ts';
import { inLaterTurn } from '../transport/laterTurn.ts';
import { requireTransport, type Transport } from '../transport/transport.ts';
import type { HornSlot, SlotMessage } from './hornSlot.ts';
import { type TimerClock, withTimers } from './timerClock.ts';

/** What a {@link HornPeer} is made of. */
export interface HornPeerOptions {
  readonly slot: HornSlot;
  /** The node, an index into `group.nodes`. */
  readonly node: number;
  /** Its X25519 secret key, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /**
   * Signs with the key of one of its validators, by registry entry: the slot's message once, and a statement for each
   * aggregate and collection. 96 bytes, compressed G2.
   */
  readonly sign: (validator: number, message: Uint8Array) => Uint8Array;
  /**
   * At the node's endpoint. The peer takes it over, and closes it with itself. For slots in a row on one transport, open
   * a view of a `SharedTransport` for the session of each slot.
   */
  readonly transport: Transport;
  /** Default: one that all peers of the process share. */
  readonly clock?: TimerClock;
  /** Called when the slot ends by the clock. The block is made of what the node had verified by then. */
  readonly onEnd?: (peer: HornPeer) => void;
  /** Called when a verification could not be carried out; never for what a peer sent. */
  readonly onFailure?: (error: Error) => void;
  /** An adversary's, for tests: the decisions of the validator of a place, where they are not an honest one's. */
  readonly role?: (place: number) => ValidatorRole | undefined;
  /** An adversary's, for tests: whether the validator of a place votes. Default: all do. */
  readonly casts?: (place: number) => boolean;
  /** An adversary's, for tests: what it sends in place of a message of its own. */
  readonly falsify?: (message: Uint8Array, topic: HornTopic) => Uint8Array;
}

/** A message that a node published or verified, and when, µs since the slot began. */
export interface TimedMessage {
  readonly topic: HornTopic;
  /** The place of its author. */
  readonly author: number;
  readonly atUs: number;
}

/** What a node counted in a slot. A copy is one message sent to one node. */
export interface HornCounts extends LinkCounts {
  /** Copies sent. */
  messagesSent: number;
  /** Copies received that were genuine, of this slot and well-formed. */
  messagesReceived: number;
  /** Of these, those of messages that the node had. */
  duplicates: number;
  /** Messages that the node verified, or had verified by a node of the same process. */
  checked: number;
  /** Of these, the invalid ones. */
  invalid: number;
}

/** What a node did in a slot. */
export interface HornReport extends Readonly<HornCounts> {
  readonly node: number;
  readonly published: readonly TimedMessage[];
  /** Of other nodes. */
  readonly verified: readonly TimedMessage[];
  /** Nodes that it ignores since they sent something invalid, in ascending order. */
  readonly blacklisted: readonly number[];
  /** By code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Votes that a block of this node holds. */
  readonly votesInReach: number;
}

/** A part of a block: the votes of a committee under one signature. */
export interface BlockVotes {
  readonly committee: number;
  /** Bit b & 7 of byte b >> 3 is the vote of place `first + b`. */
  readonly first: number;
  readonly bits: Uint8Array;
  /** 96 bytes, compressed G2: the sum of the voters' signatures of the slot's message. */
  readonly signature: Uint8Array;
}

/** What a block holds of a slot's votes. */
export interface HornBlock {
  /** Different votes in it. */
  readonly votes: number;
  readonly collections: readonly BlockVotes[];
}

/** A collection that the node has verified. */
interface CollectedVotes extends VoteSet {
  readonly atUs: number;
  readonly collection: Contribution;
}

/** Bytes before each message of a bundle: its length. */
const lengthBytes = 2;

/** Messages for one node that leave together. */
interface Bundle {
  parts: Uint8Array[];
  bytes: number;
}

/**
 * A node in a slot: its validators, each a `HornNode`, and plain gossip between nodes. The node verifies each message
 * that it has not seen, delivers a valid one to its validators, and passes it on to all of its neighbours on the topic
 * but the one that it came from. It ignores a node that sent an invalid message.
 *
 * This is gossip as the post assumes it. It has none of gossipsub's mesh maintenance, scores or announcements.
 */
export class HornPeer {
  readonly node: number;
  readonly #options: HornPeerOptions;
  readonly #clock: TimerClock;
  readonly #link: MemberLink;
  readonly #maxBundleBytes: number;
  readonly #validators: readonly { readonly place: number; readonly node: HornNode }[];
  /** Validators that a topic's messages are for: by topic and group. */
  readonly #listeners = new Map<string, HornNode[]>();
  readonly #receivers = new Map<TopicPlan, readonly number[]>();
  /** Messages, see {@link HornPeer.#indexOf}, that the node has; that are being verified; and that each node sent. */
  readonly #has: MemberSet;
  readonly #pending = new Map<SlotMessage, number[]>();
  /** By place, the votes that the node has, where a role may choose among them. */
  readonly #votes = new Map<number, Contribution>();
  readonly #sentBy = new Map<number, MemberSet>();
  readonly #bundles = new Map<number, Bundle>();
  readonly #blacklist = new Set<number>();
  readonly #refused = new Counts<Refusal>();
  readonly #published: TimedMessage[] = [];
  readonly #verified: TimedMessage[] = [];
  readonly #collections: CollectedVotes[] = [];
  readonly #timers = new Set<() => void>();
  readonly #counts: HornCounts = {
    messagesSent: 0,
    messagesReceived: 0,
    duplicates: 0,
    bytesSent: 0,
    bytesReceived: 0,
    checked: 0,
    invalid: 0,
  };
  #originUs: number | undefined;
  #flushes = false;
  #closed = false;

  /** Signs the votes. @throws TypeError for what is missing or of another kind; RangeError for a node that there is not. */
  constructor(options: HornPeerOptions) {
    requireOptions(options);
    const { slot, node, networkSecret, transport, clock = withTimers(processClock) } = options;
    const { group, session, plan, scheme } = slot;
    this.node = node;
    this.#options = options;
    this.#clock = clock;
    const channel = new Channel({
      crypto: group.crypto,
      session,
      self: node,
      secret: networkSecret,
      publicKeys: group.nodes.map(({ networkKey }) => networkKey),
      maxPacketBytes: transport.maxPacketBytes,
    });
    // A bundle takes a packet, or is a message that is longer.
    const packetBytes = channel.maxPayloadBytes - 1;
    this.#maxBundleBytes = packetBytes;
    this.#link = new MemberLink({
      endpoints: group.nodes.map(({ endpoint }) => endpoint),
      transport,
      channel,
      maxMessageBytes: Math.max(packetBytes, lengthBytes + longestHornMessageBytes(plan, scheme.signatureBytes)),
      counts: this.#counts,
      refused: this.#refused,
      onMessage: (member, bytes) => this.#onBundle(member, bytes),
    });
    for (const to of this.#allReceivers()) channel.nextNumber(to);
    this.#has = emptySet(HornTopic.global * plan.parameters.validators);
    this.#validators = slot.placesOf(node).map((place) => ({ place, node: this.#createNode(place) }));
  }

  /**
   * Starts the slot: its validators act by the clock. A node that starts late does at once what is due.
   *
   * @param originUs when the slot begins for all nodes, by the clock; ahead or past. Nodes with a common wall clock take
   *   it from `roundStartMs`, with the slot's number and length. Default: now.
   */
  start(originUs: number = this.#clock.nowUs()): void {
    this.#originUs = originUs;
    for (const { node } of this.#validators) node.start();
    this.#at(this.#options.slot.clock.endUs, () => this.#options.onEnd?.(this));
  }

  /** The block of this node: the collections that it had verified when the slot ended, those that add most first. */
  block(): HornBlock {
    const { scheme, plan } = this.#options.slot;
    const { votes, taken } = this.#packed();
    const collections = taken.map(({ group: committee, collection }) => ({ committee, ...scheme.claim(collection) }));
    const { committees, validators } = plan.parameters;
    return {
      votes,
      collections: collections.map((one) => ({ ...one, first: (one.committee * validators) / committees })),
    };
  }

  /** A live view, for progress. */
  get counts(): Readonly<HornCounts> {
    return this.#counts;
  }

  report(): HornReport {
    return {
      node: this.node,
      ...this.#counts,
      published: this.#published,
      verified: this.#verified,
      blacklisted: [...this.#blacklist].sort((a, b) => a - b),
      refused: this.#refused.toRecord(),
      votesInReach: this.#packed().votes,
    };
  }

  /** Whether nothing is being verified or waits to be sent. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#bundles.size === 0;
  }

  /** Stops the node for good and closes its transport; the report and the block stay. */
  close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#bundles.clear();
    return this.#link.close();
  }

  #packed(): ReturnType<typeof packBlock<CollectedVotes>> {
    const { plan, clock } = this.#options.slot;
    const { committees, blockCollections } = plan.parameters;
    const inTime = this.#collections.filter(({ atUs }) => atUs <= clock.endUs);
    return packBlock(inTime, committees, blockCollections, 'one-aggregate');
  }

  #createNode(place: number): HornNode {
    const { slot, sign, role, casts } = this.#options;
    const { plan, scheme } = slot;
    const chosen = role?.(place);
    const clock = chosen?.clock ?? slot.clock;
    const { validators, committees, subcommittees } = plan.parameters;
    const committee = validators / committees;
    const subcommittee = committee / subcommittees;
    const validator = plan.validatorAt[place]!;
    const own = scheme.individual(place, sign(validator, slot.message));
    const duties = plan.duties[place]!;
    const node: HornNode = new HornNode({
      id: place,
      scheme,
      subcommitteeOrder: Math.log2(subcommittee),
      committeeOrder: Math.log2(committee),
      collects: true,
      casts: casts?.(place) ?? true,
      duties,
      clock,
      ...(chosen !== undefined && { role: chosen }),
      own,
      port: {
        setTimer: (delayUs, timer) => this.#at(delayUs, () => node.onTimer(timer)),
        publish: (topic, aggregate) => this.#publish(place, topic, aggregate),
        collude: (block, members) => this.#collude(block, members),
      },
    });
    // The node holds it now.
    scheme.release(own);
    if ((duties & Duty.aggregator) !== 0) this.#listen(HornTopic.subnet, place, node);
    if ((duties & Duty.collector) !== 0) this.#listen(HornTopic.committee, place, node);
    return node;
  }

  /** The sum of the votes of some members of a subcommittee, as far as the node has them; retained once. */
  #collude(block: number, members: MemberSet): Contribution {
    const { scheme } = this.#options.slot;
    const first = scheme.tree.start(block);
    let sum: Contribution = noContribution;
    for (let member = 0; member < scheme.tree.size(block); member++) {
      const vote = hasMember(members, member) ? this.#votes.get(first + member) : undefined;
      if (vote === undefined) continue;
      const before = sum;
      sum = scheme.aggregate(block, before, vote);
      if (before !== noContribution) scheme.release(before);
    }
    return sum;
  }

  #listen(topic: HornTopic, place: number, node: HornNode): void {
    const key = this.#groupOf(topic, place);
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), node]);
  }

  #at(us: number, act: () => void): void {
    const cancel = this.#clock.at(this.#originUs! + us, () => {
      this.#timers.delete(cancel);
      if (!this.#closed) act();
    });
    this.#timers.add(cancel);
  }

  #publish(place: number, topic: HornTopic, aggregate: Contribution): void {
    const { slot, sign, falsify } = this.#options;
    const validator = slot.plan.validatorAt[place]!;
    const message = slot.compose({ topic, author: place }, aggregate, (statement) => sign(validator, statement));
    this.#published.push({ topic, author: place, atUs: this.#sinceStartUs() });
    if (falsify !== undefined) this.#pass(message, falsify(message.bytes, topic), this.node);
    else if (this.#isOn(message)) this.#accept(message, this.node);
    else this.#pass(message, message.bytes, this.node);
  }

  /** Reads messages that came together, each with its length before it. */
  #onBundle(from: number, bundle: Uint8Array): void {
    for (let at = 0; at < bundle.length; ) {
      const begin = at + lengthBytes;
      const end = begin > bundle.length ? begin : begin + readUint(bundle, at, begin);
      if (end > bundle.length) {
        this.#refused.add('truncated');
        return;
      }
      const refusal = this.#onMessage(from, bundle.subarray(begin, end));
      if (refusal !== undefined) this.#refused.add(refusal);
      at = end;
    }
  }

  #onMessage(from: number, bytes: Uint8Array): Refusal | undefined {
    if (this.#blacklist.has(from)) return 'blacklisted';
    const { slot } = this.#options;
    const head = readHornHead(slot.plan, bytes);
    if (!head.ok) return head.code;
    const refusal = this.#screen(from, head.topic, head.author);
    if (refusal !== undefined) return refusal;
    this.#counts.messagesReceived++;
    if (hasMember(this.#has, this.#indexOf(head))) {
      this.#counts.duplicates++;
      return undefined;
    }
    const message = slot.read(bytes);
    if (typeof message === 'string') return message;
    const senders = this.#pending.get(message);
    if (senders === undefined) this.#verify(message, from);
    else {
      senders.push(from);
      this.#counts.duplicates++;
    }
    return undefined;
  }

  /** Checks who sends what, by the plan. A node sends a message once. */
  #screen(from: number, topic: HornTopic, author: number): Refusal | undefined {
    const { plan } = this.#options.slot;
    const { members, peers } = topicOfPlace(plan, topic, author);
    const at = members.indexOf(this.node);
    if (at === -1) return 'level-empty';
    const sender = members.indexOf(from);
    if (plan.nodeAt[author] !== from && (sender === -1 || !peers[at]!.includes(sender)))
      return 'sender-not-in-peer-set';
    const duty = topic === HornTopic.subnet ? 0 : topic === HornTopic.committee ? Duty.aggregator : Duty.collector;
    if ((plan.duties[author]! & duty) !== duty) return 'not-elected';
    const sent = this.#sentBy.get(from) ?? emptySet(HornTopic.global * plan.parameters.validators);
    this.#sentBy.set(from, sent);
    const index = this.#indexOf({ topic, author });
    if (hasMember(sent, index)) return 'second-message';
    addMember(sent, index);
    return undefined;
  }

  #verify(message: SlotMessage, from: number): void {
    const senders = [from];
    this.#pending.set(message, senders);
    this.#counts.checked++;
    this.#options.slot.verify(message).then(
      (valid) => {
        this.#pending.delete(message);
        if (this.#closed) return;
        if (valid) this.#accept(message, from);
        else {
          this.#counts.invalid++;
          for (const sender of senders) this.#blacklist.add(sender);
        }
      },
      (error: Error) => {
        this.#pending.delete(message);
        if (!this.#closed) this.#options.onFailure?.(error);
      },
    );
  }

  /** Delivers a valid message and passes it on, unless the node has one of this author. */
  #accept(message: SlotMessage, from: number): void {
    const index = this.#indexOf(message);
    if (hasMember(this.#has, index)) {
      this.#refused.add('second-message');
      return;
    }
    addMember(this.#has, index);
    const { topic, author, aggregate, signed, bytes } = message;
    const atUs = this.#sinceStartUs();
    if (from !== this.node) this.#verified.push({ topic, author, atUs });
    if (topic === HornTopic.global) this.#keep(author, aggregate, atUs);
    if (topic === HornTopic.subnet && this.#options.role !== undefined) this.#votes.set(author, aggregate);
    for (const node of this.#listeners.get(this.#groupOf(topic, author)) ?? []) {
      const refusal = node.onMessage(topic, aggregate, signed);
      if (refusal !== undefined) this.#refused.add(refusal);
    }
    this.#pass(message, bytes, from);
  }

  #keep(author: number, collection: Contribution, atUs: number): void {
    const { scheme, plan } = this.#options.slot;
    const { validators, committees } = plan.parameters;
    const group = Math.floor((author * committees) / validators);
    this.#collections.push({
      group,
      weight: scheme.weight(collection),
      bits: union([scheme.setWords(collection)], validators / committees),
      collection,
      atUs,
    });
  }

  /** All nodes that this one sends to: a channel's keys take longer to make than a message to seal. */
  #allReceivers(): ReadonlySet<number> {
    const { plan } = this.#options.slot;
    const places = this.#options.slot.placesOf(this.node);
    const topics = places.flatMap((place) => Object.values(HornTopic).map((topic) => topicOfPlace(plan, topic, place)));
    const own = [...plan.subnets, ...plan.committees].filter(({ members }) => members.includes(this.node));
    return new Set([...topics, ...own].flatMap((topic) => this.#receiversOn(topic)));
  }

  #receiversOn(topic: TopicPlan): readonly number[] {
    const { plan } = this.#options.slot;
    const receivers = this.#receivers.get(topic) ?? receiversOn(plan, topic, this.node);
    this.#receivers.set(topic, receivers);
    return receivers;
  }

  /** Sends a message to the neighbours on its topic but the one that it came from. */
  #pass({ topic, author }: SlotMessage, bytes: Uint8Array, from: number): void {
    const receivers = this.#receiversOn(topicOfPlace(this.#options.slot.plan, topic, author));
    const length = new Uint8Array(lengthBytes);
    writeUint(length, 0, lengthBytes, bytes.length);
    for (const to of receivers) {
      if (to === from || this.#blacklist.has(to)) continue;
      this.#counts.messagesSent++;
      this.#bundle(to, length, bytes);
    }
  }

  /** What is sent to a node in one turn of the event loop goes together, as far as it fits into a packet. */
  #bundle(to: number, length: Uint8Array, bytes: Uint8Array): void {
    const more = lengthBytes + bytes.length;
    let bundle = this.#bundles.get(to);
    if (bundle !== undefined && bundle.bytes + more > this.#maxBundleBytes) {
      this.#link.send(to, concat(...bundle.parts));
      bundle = undefined;
    }
    if (bundle === undefined) {
      bundle = { parts: [], bytes: 0 };
      this.#bundles.set(to, bundle);
    }
    bundle.parts.push(length, bytes);
    bundle.bytes += more;
    if (this.#flushes) return;
    this.#flushes = true;
    inLaterTurn(() => this.#flush());
  }

  #flush(): void {
    this.#flushes = false;
    const bundles = [...this.#bundles];
    this.#bundles.clear();
    for (const [to, { parts }] of bundles) this.#link.send(to, concat(...parts));
  }

  #isOn({ topic, author }: SlotMessage): boolean {
    return topicOfPlace(this.#options.slot.plan, topic, author).members.includes(this.node);
  }

  /** The subcommittee, or the committee of an aggregate, that a message is about. */
  #groupOf(topic: HornTopic, place: number): string {
    const { validators, committees, subcommittees } = this.#options.slot.plan.parameters;
    const groups = topic === HornTopic.subnet ? committees * subcommittees : committees;
    return `${topic} ${Math.floor((place * groups) / validators)}`;
  }

  /** One message of each author on each topic: its index among all. */
  #indexOf({ topic, author }: Pick<SlotMessage, 'topic' | 'author'>): number {
    return (topic - HornTopic.subnet) * this.#options.slot.plan.parameters.validators + author;
  }

  /** What comes before the start is there when the slot begins, as in a round. */
  #sinceStartUs(): number {
    return this.#originUs === undefined ? 0 : this.#clock.nowUs() - this.#originUs;
  }
}

function requireOptions(options: HornPeerOptions): void {
  requireObject('options', options);
  const { slot, node, networkSecret, sign, transport, clock } = options;
  requireMethods('slot', slot, ['compose', 'read', 'verify']);
  const { length } = slot.group.nodes;
  if (!Number.isInteger(node) || node < 0 || node >= length)
    throw new RangeError(`node: expected an integer from 0 to ${length - 1}, got ${node}`);
  requireBytes('networkSecret', networkSecret);
  requireFunction('sign', sign);
  requireTransport('transport', transport);
  if (clock !== undefined) requireMethods('clock', clock, ['nowUs', 'at']);
}
