import { EventQueue, type NamedNetwork } from '@tutti/simulation/engine';
import type { BatchCosts, ClientParameters } from '../../horn/network/client.ts';
import type { GossipsubParameters } from '../../horn/network/gossipsub.ts';
import type { TopicMesh } from './topicMesh.ts';

const firstWords = 4;

/**
 * A bit for each pair of a topic's member and message. A member's bits are adjacent, so queries about many messages of
 * one member stay in a cache. A list by message would access another place in memory each time.
 */
export class PlaceBits {
  readonly #members: number;
  /** Number of words of 32 messages per member. */
  #words = firstWords;
  #bits: Int32Array;

  constructor(members: number) {
    this.#members = members;
    this.#bits = new Int32Array(members * firstWords);
  }

  /**
   * Returns the bit.
   *
   * @param rank index of the message among the topic's.
   */
  has(place: number, rank: number): boolean {
    const word = rank >>> 5;
    return word < this.#words && ((this.#bits[place * this.#words + word]! >>> (rank & 31)) & 1) === 1;
  }

  add(place: number, rank: number): void {
    const word = rank >>> 5;
    if (word >= this.#words) this.#grow(word + 1);
    this.#bits[place * this.#words + word]! |= 1 << (rank & 31);
  }

  #grow(atLeast: number): void {
    const words = Math.max(2 * this.#words, atLeast);
    const bits = new Int32Array(this.#members * words);
    for (let place = 0; place < this.#members; place++) {
      bits.set(this.#bits.subarray(place * this.#words, (place + 1) * this.#words), place * words);
    }
    this.#words = words;
    this.#bits = bits;
  }
}

/** Kinds of messages by priority: lower ones are verified first. */
export const Priority = { global: 0, committee: 1, vote: 2 } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];

/** A message, or several that travel together and are run as one. */
export interface GossipMessage {
  readonly topic: number;
  /** Size of each message on the wire, without the transport's overhead. */
  readonly bytes: number;
  /** Number of signature sets of each message. */
  readonly sets: number;
  /** Time of one core for each message's key, and for work other than signatures, microseconds. */
  readonly keyUs: number;
  readonly priority: Priority;
  /** Number of messages that it stands for. */
  readonly together: number;
  /** Messages of a bundle; each has only its own bytes. */
  readonly parts?: readonly number[] | undefined;
  /** True if verification fails, so that no node forwards it. */
  readonly isInvalid?: boolean | undefined;
}

/** Machines and links of the nodes that topics are run on, one entry per node. */
export interface GossipNodes {
  /** Link rates, bytes per microsecond. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /**
   * Number of such messages that a node handles for each one that is run: over 1 if only some of its topics are run.
   * Links and cores are as busy as with all of them.
   */
  readonly load: Float64Array;
  /** Verification parameters of each node. Default: the run's client for all. */
  readonly clients?: readonly ClientParameters[] | undefined;
  /** Factor by which each node verifies more slowly while its cores have other work; may change. Default: 1. */
  readonly slowdown?: Float64Array;
}

export interface Topic extends TopicMesh {
  readonly members: Int32Array;
  /** Place of each node among the members; -1 for none. */
  readonly placeOf: Int32Array;
  /** Verified messages by place, in order; those from `announcedFrom` on are announced at heartbeats. */
  readonly verified: number[][];
  readonly announcedFrom: Int32Array;
  /** Messages that have been delivered, as in `deliveredUs`. */
  readonly delivered: PlaceBits;
  /** Messages that were forwarded: the peers that sent them no longer matter. */
  readonly passed: PlaceBits;
  /** Messages that were requested. */
  readonly asked: PlaceBits;
}

/** Creates a topic without messages. */
export function quietTopic({ peers, back }: TopicMesh, members: Int32Array, placeOf: Int32Array): Topic {
  const count = members.length;
  return {
    peers,
    back,
    members,
    placeOf,
    verified: Array.from(members, () => []),
    announcedFrom: new Int32Array(count),
    delivered: new PlaceBits(count),
    passed: new PlaceBits(count),
    asked: new PlaceBits(count),
  };
}

/** Kinds of events. */
export const Kind = {
  arrive: 0,
  deliver: 1,
  upFree: 2,
  verified: 3,
  due: 4,
  heartbeat: 5,
  wanted: 6,
  publish: 7,
  act: 8,
  idle: 9,
  tick: 10,
  plainCopy: 11,
  plainVerified: 12,
  downOpen: 13,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Settings that topics are run with. */
export interface GossipSetting {
  readonly nodes: GossipNodes;
  readonly network: NamedNetwork;
  readonly gossip: GossipsubParameters;
  readonly client: ClientParameters;
  readonly costs: BatchCosts;
  /** True for plain gossip as in the post, see `PlainGossip`. Default: false. */
  readonly isPlain?: boolean;
  /**
   * Flow control: time for which a receiver's download may be busy before copies for it wait at their senders, which
   * send others first. Default: no limit.
   */
  readonly aheadUs?: number;
  /** An empty queue of a finished run. Default: a new one. */
  readonly queue?: EventQueue;
}

/** Costs of a run so far. */
export class GossipCosts {
  /** Bytes received and sent by node, and the part of control messages in those sent. */
  readonly received: Float64Array;
  readonly sent: Float64Array;
  readonly control: Float64Array;
  /** Copies received by node, and the superfluous ones among them. */
  readonly copies: Float64Array;
  readonly duplicates: Float64Array;
  /** Time of cores by node, microseconds. */
  readonly busyUs: Float64Array;
  /** Number of messages that a full queue dropped. */
  dropped = 0;
  /** Number of messages not verified or not forwarded because another one contains all their votes. */
  ignored = 0;
  /** Number of copies not sent because they had waited too long for a link. */
  expired = 0;

  /** Bytes of copies that the network lost. */
  lost = 0;

  constructor(nodes: number) {
    const zeros = () => new Float64Array(nodes);
    this.received = zeros();
    this.sent = zeros();
    this.control = zeros();
    this.copies = zeros();
    this.duplicates = zeros();
    this.busyUs = zeros();
  }

  copy(): GossipCosts {
    const { dropped, ignored, expired, lost } = this;
    const copy = new GossipCosts(0);
    const arrays = ['received', 'sent', 'control', 'copies', 'duplicates', 'busyUs'] as const;
    const slices = Object.fromEntries(arrays.map((key) => [key, this[key].slice()]));
    return Object.assign(copy, slices, { dropped, ignored, expired, lost });
  }
}

const noMembers = new Int32Array(0);

/** Shared state of a run's links and cores: events, topics, messages and costs. */
export class GossipState {
  readonly setting: GossipSetting;
  readonly queue: EventQueue;
  readonly topics: Topic[] = [];
  readonly messages: GossipMessage[] = [];
  /**
   * Data that each copy needs, by message: its topic, and its place among the topic's messages, or -1 for a bundle.
   * Also the number of messages that it stands for, its priority, and their bytes on a link.
   */
  readonly topicOf: number[] = [];
  readonly rank: number[] = [];
  readonly together: number[] = [];
  readonly priority: Priority[] = [];
  readonly wireBytes: number[] = [];
  /** True if a node that has it says so to its peers (IDONTWANT). */
  readonly isLarge: boolean[] = [];
  /** Delivery times by message and place; empty in plain gossip. */
  readonly deliveredUs: Int32Array[] = [];
  /** Peers that have sent a message, one bit each; empty in plain gossip. */
  readonly from: Int32Array[] = [];
  readonly verifiedUs: Int32Array[] = [];
  /** Messages that each contain all votes of this one, by message. */
  readonly covers: (readonly number[] | undefined)[] = [];
  hasCovers = false;
  readonly costs: GossipCosts;
  /** Number of messages by topic. */
  readonly #messagesOf: number[] = [];

  constructor(setting: GossipSetting) {
    this.setting = setting;
    this.queue = setting.queue ?? new EventQueue();
    this.costs = new GossipCosts(setting.nodes.up.length);
  }

  get nowUs(): number {
    return this.queue.timeUs;
  }

  /**
   * Adds a message that no node has yet.
   *
   * @returns its number.
   */
  addMessage(message: GossipMessage): number {
    const { members } = this.topics[message.topic]!;
    this.rank.push(this.#messagesOf[message.topic] ?? 0);
    this.#messagesOf[message.topic] = this.rank.at(-1)! + 1;
    const isPlain = this.setting.isPlain === true;
    this.deliveredUs.push(isPlain ? noMembers : new Int32Array(members.length).fill(-1));
    this.from.push(isPlain ? noMembers : new Int32Array(members.length));
    this.verifiedUs.push(new Int32Array(members.length).fill(-1));
    return this.#add(message);
  }

  /**
   * Adds a bundle, which no node verifies as such.
   *
   * @returns its number.
   */
  addBundle(topic: number, parts: readonly number[], bytes: number): number {
    return this.addUnranked({ topic, bytes, sets: 0, keyUs: 0, priority: Priority.vote, together: 1, parts });
  }

  /**
   * Adds a message without times of members.
   *
   * @returns its number.
   */
  addUnranked(message: GossipMessage): number {
    for (const by of [this.deliveredUs, this.verifiedUs, this.from]) by.push(noMembers);
    this.rank.push(-1);
    return this.#add(message);
  }

  /** Stored as an object of one shape, however the message was created, since all hot code reads it. */
  #add({ topic, bytes, sets, keyUs, priority, together, parts, isInvalid }: GossipMessage): number {
    const { overheadBytes, idontwantBytes } = this.setting.gossip;
    this.topicOf.push(topic);
    this.together.push(together);
    this.priority.push(priority);
    this.wireBytes.push(together * (bytes + overheadBytes));
    this.isLarge.push(parts === undefined && bytes > (idontwantBytes ?? Number.POSITIVE_INFINITY));
    return this.messages.push({ topic, bytes, sets, keyUs, priority, together, parts, isInvalid }) - 1;
  }

  /** Returns whether another message with all of this one's votes was verified before; counts it. */
  isIgnored(number: number, place: number): boolean {
    const isCovered = this.covers[number]?.some((other) => this.verifiedUs[other]![place] !== -1) ?? false;
    if (isCovered) this.costs.ignored += this.messages[number]!.together;
    return isCovered;
  }
}
