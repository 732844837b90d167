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
import { lengthBytes } from './hornGroup.ts';
import type { HornSlot, SlotMessage } from './hornSlot.ts';
import { type TimerClock, withTimers } from './timerClock.ts';

/** Options of a {@link HornPeer}. */
export interface HornPeerOptions {
  readonly slot: HornSlot;
  /** Number of the node, an index into `group.nodes`. */
  readonly node: number;
  /** X25519 secret key of the node, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /**
   * Signs with the key of one of the node's validators, given by registry entry. The peer signs the slot's message
   * once, and a statement for each aggregate and collection. Returns 96 bytes, compressed G2.
   */
  readonly sign: (validator: number, message: Uint8Array) => Uint8Array;
  /**
   * Transport at the node's endpoint. The peer owns it and closes it. For consecutive slots on one transport, open a
   * view of a `SharedTransport` for each slot's session.
   */
  readonly transport: Transport;
  /** Clock with timers. Default: the clock shared by all peers of the process. */
  readonly clock?: TimerClock;
  /** Called at the end of the slot. The block contains only collections that the node has verified by then. */
  readonly onEnd?: (peer: HornPeer) => void;
  /** Called when a verification could not be carried out; never for an invalid message of a peer. */
  readonly onFailure?: (error: Error) => void;
  /** Called with each message that a validator of the node has published or that the node has verified. */
  readonly onMessage?: (message: SlotMessage, atUs: number) => void;
  /** Called with a node that sent an invalid message. This node ignores it from now on. */
  readonly onInvalid?: (node: number) => void;
  /** Called with the code of a rejected message and the node that sent it. */
  readonly onRefused?: (node: number, code: Refusal) => void;
  /** Returns the role of the validator at a place, or undefined for an honest one. Only tests of adversaries set it. */
  readonly role?: (place: number) => ValidatorRole | undefined;
  /** Returns whether the validator at a place votes. Only tests of adversaries set it. Default: all validators vote. */
  readonly casts?: (place: number) => boolean;
  /** Returns the bytes that the node sends instead of its own message. Only tests of adversaries set it. */
  readonly falsify?: (message: Uint8Array, topic: HornTopic) => Uint8Array;
}

/** A message that a node published or verified, with the time. */
export interface TimedMessage {
  readonly topic: HornTopic;
  /** Place of the message's author. */
  readonly author: number;
  /** Time of publication or verification, µs since the slot began. */
  readonly atUs: number;
}

/** Counters of a node in a slot. A copy is one message sent to one node. */
export interface HornCounts extends LinkCounts {
  /** Number of copies sent. */
  messagesSent: number;
  /** Number of copies received from a permitted sender, with an elected author and a valid head of this slot. */
  messagesReceived: number;
  /** Number of received copies of messages that the node already had or was verifying. */
  duplicates: number;
  /**
   * Number of messages that the node verified. A message that another node of the same process has verified counts too.
   */
  checked: number;
  /** Number of verified messages that were invalid. */
  invalid: number;
}

/** Result of a node in a slot: its counters, messages and rejections. */
export interface HornReport extends Readonly<HornCounts> {
  readonly node: number;
  readonly published: readonly TimedMessage[];
  /** Valid messages of other nodes, in order of verification. */
  readonly verified: readonly TimedMessage[];
  /** Nodes that this node ignores because they sent an invalid message, in ascending order. */
  readonly blacklisted: readonly number[];
  /** Number of rejections by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Number of votes in a block of this node. */
  readonly votesInReach: number;
}

/** Votes of one committee under one signature, as part of a block. */
export interface BlockVotes {
  readonly committee: number;
  /** Place of the committee's first validator. */
  readonly first: number;
  /** Voters as bits: bit b & 7 of byte b >> 3 is the vote of place `first + b`. */
  readonly bits: Uint8Array;
  /** Sum of the voters' signatures on the slot's message, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
}

/** Votes of a slot that a block contains. */
export interface HornBlock {
  /** Number of distinct votes in the block. */
  readonly votes: number;
  readonly collections: readonly BlockVotes[];
}

/** A collection that the node has verified. */
interface CollectedVotes extends VoteSet {
  readonly atUs: number;
  readonly collection: Contribution;
}

/** Messages to one node that the peer sends together. */
interface Bundle {
  parts: Uint8Array[];
  bytes: number;
}

/**
 * A node in a slot: its validators, each a `HornNode`, and plain gossip between nodes. The node verifies each new
 * message and delivers valid messages to its validators. It forwards a valid message to all its neighbours on the topic
 * except the sender. It ignores a node that sent an invalid message.
 *
 * Gossip works as the Horn post assumes, without gossipsub's mesh maintenance, scores and announcements.
 */
export class HornPeer {
  readonly node: number;
  readonly #options: HornPeerOptions;
  readonly #clock: TimerClock;
  readonly #link: MemberLink;
  readonly #maxBundleBytes: number;
  readonly #validators: readonly { readonly place: number; readonly node: HornNode }[];
  /** Validators that receive the messages of a topic, by topic and group. */
  readonly #listeners = new Map<string, HornNode[]>();
  readonly #receivers = new Map<TopicPlan, readonly number[]>();
  /** Messages that the node has, by {@link HornPeer.#indexOf}. */
  readonly #has: MemberSet;
  /** Messages that are being verified, with the nodes that sent them. */
  readonly #pending = new Map<SlotMessage, number[]>();
  /** Votes that the node has, by place. Only a node with a `role` option stores them. */
  readonly #votes = new Map<number, Contribution>();
  /** Messages that each node has sent, by {@link HornPeer.#indexOf}. */
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

  /**
   * Creates the node and signs the votes of its validators.
   *
   * @throws TypeError for a missing option or one of the wrong type; RangeError for a node out of range.
   */
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
    // A bundle fits into one packet, unless it is a single message that is too long.
    const packetBytes = channel.maxPayloadBytes - 1;
    this.#maxBundleBytes = packetBytes;
    this.#link = new MemberLink({
      endpoints: group.nodes.map(({ endpoint }) => endpoint),
      transport,
      channel,
      maxMessageBytes: Math.max(
        packetBytes,
        lengthBytes + longestHornMessageBytes(plan.parameters, scheme.signatureBytes),
      ),
      counts: this.#counts,
      refused: this.#refused,
      onMessage: (member, bytes) => this.#onBundle(member, bytes),
    });
    for (const to of this.#allReceivers()) channel.nextNumber(to);
    this.#has = emptySet(HornTopic.global * plan.parameters.validators);
    this.#validators = slot.placesOf(node).map((place) => ({ place, node: this.#createNode(place) }));
  }

  /**
   * Sends an empty bundle to each receiver of this node. A transport that connects on demand, such as WebRTC, thereby
   * opens its links before the first vote.
   */
  greet(): void {
    for (const to of this.#allReceivers()) if (to !== this.node) this.#link.send(to, new Uint8Array(0));
  }

  /**
   * Starts the slot: the validators act at the times of the clock. A node that starts late immediately performs all
   * actions that are due.
   *
   * @param originUs time at which the slot begins for all nodes, µs on the clock; in the future or in the past. Nodes
   * with a common wall clock get it from `roundStartMs`, with the slot's number and length. Default: now.
   */
  start(originUs: number = this.#clock.nowUs()): void {
    this.#originUs = originUs;
    for (const { node } of this.#validators) node.start();
    this.#at(this.#options.slot.clock.endUs, () => this.#options.onEnd?.(this));
  }

  /**
   * Returns the node's block, which contains collections verified by the end of the slot. Collections that add the most
   * votes come first.
   */
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

  /** Counters so far, as a live view. */
  get counts(): Readonly<HornCounts> {
    return this.#counts;
  }

  /** Returns the result of the node so far. */
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

  /** Whether no message is being verified and none waits to be sent. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#bundles.size === 0;
  }

  /** Stops the node permanently and closes its transport. The report and the block remain available. */
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
    // The node has retained the vote.
    scheme.release(own);
    if ((duties & Duty.aggregator) !== 0) this.#listen(HornTopic.subnet, place, node);
    if ((duties & Duty.collector) !== 0) this.#listen(HornTopic.committee, place, node);
    return node;
  }

  /**
   * Returns the sum of the votes of the given members of a subcommittee, as far as the node has them, retained once.
   */
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

  /** Reads the messages of a bundle. Each is preceded by its length. */
  #onBundle(from: number, bundle: Uint8Array): void {
    for (let at = 0; at < bundle.length; ) {
      const begin = at + lengthBytes;
      const end = begin > bundle.length ? begin : begin + readUint(bundle, at, begin);
      const refusal = end > bundle.length ? 'truncated' : this.#onMessage(from, bundle.subarray(begin, end));
      if (refusal !== undefined) {
        this.#refused.add(refusal);
        this.#options.onRefused?.(from, refusal);
      }
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

  /** Checks sender, topic and author against the plan. A node may send a message only once. */
  #screen(from: number, topic: HornTopic, author: number): Refusal | undefined {
    const { plan } = this.#options.slot;
    const on = topicOfPlace(plan, topic, author);
    if (!on.members.includes(this.node)) return 'level-empty';
    // Meshes are symmetric: the neighbours to which this node sends are those from which it receives.
    if (plan.nodeAt[author] !== from && !this.#receiversOn(on).includes(from)) return 'sender-not-in-peer-set';
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
          for (const sender of senders) {
            this.#blacklist.add(sender);
            this.#options.onInvalid?.(sender);
          }
        }
      },
      (error: Error) => {
        this.#pending.delete(message);
        if (!this.#closed) this.#options.onFailure?.(error);
      },
    );
  }

  /** Delivers and forwards a valid message, unless the node already has one by this author on the topic. */
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
    this.#options.onMessage?.(message, atUs);
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

  /** Returns all nodes to which this one sends. The constructor derives their channel keys in advance. */
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

  /** Sends a message to the neighbours on its topic, except to `from`. */
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

  /** Adds a message to the bundle for its receiver. Messages of one turn share packets as far as they fit. */
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

  /** Returns the name of the subcommittee, or of the committee for an aggregate, to which a message belongs. */
  #groupOf(topic: HornTopic, place: number): string {
    const { validators, committees, subcommittees } = this.#options.slot.plan.parameters;
    const groups = topic === HornTopic.subnet ? committees * subcommittees : committees;
    return `${topic} ${Math.floor((place * groups) / validators)}`;
  }

  /** Returns the index of a message among all messages. There is one message per author and topic. */
  #indexOf({ topic, author }: Pick<SlotMessage, 'topic' | 'author'>): number {
    return (topic - HornTopic.subnet) * this.#options.slot.plan.parameters.validators + author;
  }

  /**
   * Time since the slot began, µs. It is 0 before the slot begins, so earlier messages count as arriving at the start.
   */
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
