import { type Contribution, noContribution } from '@tutti/core';
import {
  addMember,
  Duty,
  HornNode,
  HornTopic,
  hasMember,
  longestHornMessageBytes,
  type MemberSet,
  readHornHead,
  type ValidatorRole,
} from '@tutti/core/horn';
import { requireBytes, requireFunction, requireInteger, requireMethods, requireObject } from '@tutti/core/input';
import { Channel } from '../channel/channel.ts';
import { Counts, type Refusal } from '../refusals.ts';
import { processClock, type TimerClock, withTimers } from '../runtime/clock.ts';
import { type LinkCounts, MemberLink } from '../runtime/memberLink.ts';
import { requireTransport, type Transport } from '../transport/transport.ts';
import { Bundles, readBundle, SlotPart } from './gossip.ts';
import { lengthBytes } from './hornGroup.ts';
import { Collections, type HornBlock, type HornSlot, type SlotMessage } from './hornSlot.ts';

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
   * Transport at the node's endpoint. The peer owns the transport and closes it. For consecutive slots on one
   * transport, open a view of a `SharedTransport` for each slot's session.
   */
  readonly transport: Transport;
  /** Clock that provides timers. Default: the clock shared by all peers of the process. */
  readonly clock?: TimerClock;
  /**
   * Called at the end of the slot. The block contains only collections that the node has verified by the end of the
   * slot.
   */
  readonly onEnd?: (peer: HornPeer) => void;
  /** Called when a verification could not be carried out; never for an invalid message of a peer. */
  readonly onFailure?: (error: Error) => void;
  /** Called with each message that one of the node's validators has published or that the node has verified. */
  readonly onMessage?: (message: SlotMessage, atUs: number) => void;
  /**
   * Called with a node that sent an invalid message. From this call on, this node ignores the sender of the invalid
   * message.
   */
  readonly onInvalid?: (node: number) => void;
  /** Called when the node rejects a message before it verifies signatures, with the sender and the code. */
  readonly onRefused?: (node: number, code: Refusal) => void;
  /**
   * Returns the role of the validator at a given place, or undefined for an honest validator. Only Byzantine nodes set
   * this option.
   */
  readonly role?: (place: number) => ValidatorRole | undefined;
  /**
   * Returns whether the validator at a given place votes. Only Byzantine nodes set this option. Default: all validators
   * vote.
   */
  readonly casts?: (place: number) => boolean;
  /** Returns the bytes that the node sends instead of its own message. Only Byzantine nodes set this option. */
  readonly falsify?: (message: Uint8Array, topic: HornTopic) => Uint8Array;
}

/** A message that a node has published or verified, with the time of this event. */
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
  /** Number of received messages whose author and topic the node already had, or that it was already verifying. */
  duplicates: number;
  /**
   * Number of messages verified by the node. A message already verified by another node in the same process counts too.
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
  /** Number of votes in this node's block. */
  readonly votesInReach: number;
}

/**
 * A node in a slot: its validators, each a `HornNode`, and plain gossip between nodes. The node verifies each new
 * message and delivers valid messages to its validators. The node forwards a valid message to all neighbours on the
 * topic except the sender. The node ignores any node that has sent an invalid message.
 *
 * Gossip works as the Horn post assumes, without gossipsub's mesh maintenance, scores and announcements.
 */
export class HornPeer {
  readonly node: number;
  readonly #options: HornPeerOptions;
  readonly #clock: TimerClock;
  readonly #link: MemberLink;
  readonly #validators: readonly { readonly place: number; readonly node: HornNode }[];
  /** Validators that receive the messages of a topic, by topic and group. */
  readonly #listeners = new Map<string, HornNode[]>();
  readonly #part: SlotPart;
  /** Messages that the node has, by `SlotPart.indexOf`. */
  readonly #has: MemberSet;
  /** Messages that are being verified, with the nodes that sent them. */
  readonly #pending = new Map<SlotMessage, number[]>();
  /** Votes that the node has, by the voter's place. Only a node with the option `role` stores these votes. */
  readonly #votes = new Map<number, Contribution>();
  readonly #bundles: Bundles;
  readonly #blacklist = new Set<number>();
  readonly #refused = new Counts<Refusal>();
  readonly #published: TimedMessage[] = [];
  readonly #verified: TimedMessage[] = [];
  readonly #collections: Collections;
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
  #closed = false;

  /**
   * Creates the node and signs the votes of its validators.
   *
   * @throws TypeError for a missing option or an option of the wrong type; RangeError for a node out of range; any
   * error that `sign` throws.
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
    // A bundle fits into one packet, unless the bundle is a single message that is too long for a packet.
    const packetBytes = channel.maxPayloadBytes - 1;
    const longestBytes = lengthBytes + longestHornMessageBytes(plan.parameters, scheme.signatureBytes);
    this.#link = new MemberLink({
      endpoints: group.nodes.map(({ endpoint }) => endpoint),
      transport,
      channel,
      maxMessageBytes: Math.max(packetBytes, longestBytes),
      counts: this.#counts,
      refused: this.#refused,
      onMessage: (member, bytes) => this.#onBundle(member, bytes),
    });
    this.#bundles = new Bundles(packetBytes, (to, bytes) => this.#link.send(to, bytes));
    this.#part = new SlotPart(plan, node);
    // The channel derives the keys of its receivers in advance.
    for (const to of this.#part.allReceivers(slot.placesOf(node))) channel.nextNumber(to);
    this.#has = this.#part.noMessages();
    this.#collections = new Collections(scheme, plan, slot.clock.endUs);
    this.#validators = slot.placesOf(node).map((place) => ({ place, node: this.#createNode(place) }));
  }

  /**
   * Sends an empty bundle to each receiver of this node. A transport that connects on demand, such as WebRTC, thereby
   * opens its links before the first vote.
   */
  greet(): void {
    const places = this.#options.slot.placesOf(this.node);
    for (const to of this.#part.allReceivers(places)) this.#link.send(to, new Uint8Array(0));
  }

  /**
   * Starts the slot: the validators act at the times that the clock determines. A node that starts late immediately
   * performs all actions that are due.
   *
   * @param originUs time at which the slot begins for all nodes, µs on the clock; in the future or in the past. Nodes
   * with a common wall clock get it from `roundStartMs`, with the slot's number and length. Default: now.
   * @throws RangeError if the node was already started. The call has no effect after `close`.
   */
  start(originUs: number = this.#clock.nowUs()): void {
    if (this.#closed) return;
    if (this.#originUs !== undefined) throw new RangeError('start: expected a node that was not started');
    this.#originUs = originUs;
    for (const { node } of this.#validators) node.start();
    this.#at(this.#options.slot.clock.endUs, () => this.#options.onEnd?.(this));
  }

  /**
   * Returns the node's block, which contains collections verified by the end of the slot. Collections that add the most
   * votes come first.
   */
  block(): HornBlock {
    return this.#collections.block();
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
      votesInReach: this.#collections.votes,
    };
  }

  /** Whether no message is being verified and none waits to be sent. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#bundles.size === 0;
  }

  /**
   * Stops the node permanently and closes its transport. The report and the block remain available after the node has
   * stopped.
   */
  close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#bundles.clear();
    return this.#link.close();
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
        // A validator sets timers only at the beginning of the slot, so its delays are times since the beginning.
        setTimer: (sinceStartUs, timer) => this.#at(sinceStartUs, () => node.onTimer(timer)),
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
   * Returns the sum of the given subcommittee members' votes, as far as the node has these votes, retained once for the
   * caller.
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
    const key = this.#part.groupOf({ topic, author: place });
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
    else if (this.#part.isOn(message)) this.#accept(message, this.node);
    else this.#pass(message, message.bytes, this.node);
  }

  #onBundle(from: number, bundle: Uint8Array): void {
    for (const message of readBundle(bundle)) {
      const refusal = message === undefined ? 'truncated' : this.#onMessage(from, message);
      if (refusal === undefined) continue;
      this.#refused.add(refusal);
      this.#options.onRefused?.(from, refusal);
    }
  }

  #onMessage(from: number, bytes: Uint8Array): Refusal | undefined {
    if (this.#blacklist.has(from)) return 'blacklisted';
    const { slot } = this.#options;
    const head = readHornHead(slot.plan, bytes);
    if (!head.ok) return head.code;
    const refusal = this.#part.screen(from, head);
    if (refusal !== undefined) return refusal;
    this.#counts.messagesReceived++;
    if (hasMember(this.#has, this.#part.indexOf(head))) {
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

  /**
   * Delivers and forwards a valid message, unless the node already has a message by the same author on the same topic.
   */
  #accept(message: SlotMessage, from: number): void {
    const index = this.#part.indexOf(message);
    if (hasMember(this.#has, index)) {
      this.#refused.add('second-message');
      return;
    }
    addMember(this.#has, index);
    const { topic, author, aggregate, signed, bytes } = message;
    const atUs = this.#sinceStartUs();
    if (from !== this.node) this.#verified.push({ topic, author, atUs });
    this.#options.onMessage?.(message, atUs);
    if (topic === HornTopic.global) this.#collections.add(author, aggregate, atUs);
    if (topic === HornTopic.subnet && this.#options.role !== undefined) this.#votes.set(author, aggregate);
    for (const node of this.#listeners.get(this.#part.groupOf(message)) ?? []) {
      const refusal = node.onMessage(topic, aggregate, signed);
      if (refusal !== undefined) this.#refused.add(refusal);
    }
    this.#pass(message, bytes, from);
  }

  /** Sends a message to the neighbours on the message's topic, except to `from`. */
  #pass(message: SlotMessage, bytes: Uint8Array, from: number): void {
    for (const to of this.#part.receivers(message)) {
      if (to === from || this.#blacklist.has(to)) continue;
      this.#counts.messagesSent++;
      this.#bundles.add(to, bytes);
    }
  }

  /**
   * Time since the slot began, µs. The value is 0 before the slot begins, so earlier messages count as arriving at the
   * beginning.
   */
  #sinceStartUs(): number {
    return this.#originUs === undefined ? 0 : Math.max(0, this.#clock.nowUs() - this.#originUs);
  }
}

function requireOptions(options: HornPeerOptions): void {
  requireObject('options', options);
  const { slot, node, networkSecret, sign, transport, clock } = options;
  requireMethods('slot', slot, ['compose', 'read', 'verify']);
  requireInteger('node', node, 0, slot.group.nodes.length - 1);
  requireBytes('networkSecret', networkSecret);
  requireFunction('sign', sign);
  requireTransport('transport', transport);
  if (clock !== undefined) requireMethods('clock', clock, ['nowUs', 'at']);
}
