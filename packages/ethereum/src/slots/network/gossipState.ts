import { EventQueue, type NamedNetwork } from '@tutti/simulation/engine';
import type { BatchCosts, ClientParameters } from '../../horn/network/client.ts';
import type { GossipsubParameters } from '../../horn/network/gossipsub.ts';
import type { TopicMesh } from './topicMesh.ts';

const firstWords = 4;

/**
 * A bit for each member of a topic and each of its messages. A member's bits lie together: whoever asks what one member
 * has of many messages finds it in a cache, where a list by message is another place in memory each time.
 */
export class PlaceBits {
  readonly #members: number;
  /** Words of 32 messages a member. */
  #words = firstWords;
  #bits: Int32Array;

  constructor(members: number) {
    this.#members = members;
    this.#bits = new Int32Array(members * firstWords);
  }

  /** @param rank of the message among the topic's. */
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

/** What kind of message: the lower is verified first. */
export const Priority = { global: 0, committee: 1, vote: 2 } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];

/** A message, or several that go together and are taken for one. */
export interface GossipMessage {
  readonly topic: number;
  /** Of each message, on the wire, without what the transport adds. */
  readonly bytes: number;
  /** Signature sets of each. */
  readonly sets: number;
  /** Microseconds of one core for each message's key, or whatever is not signatures. */
  readonly keyUs: number;
  readonly priority: Priority;
  /** How many messages it stands for. */
  readonly together: number;
  /** Of a bundle, the messages in it: what has their bytes alone. */
  readonly parts?: readonly number[] | undefined;
  /** Whether verification fails: then nobody passes it on. */
  readonly isInvalid?: boolean | undefined;
}

/** The machines and links that topics are run on, one entry a node. */
export interface GossipNodes {
  /** Bytes a microsecond. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /**
   * How many such messages a node handles for each one that is run: more than 1 if only some of its topics are
   * run. Links and cores are as busy as with all of them.
   */
  readonly load: Float64Array;
  /** How each verifies. Default: all as the run's client. */
  readonly clients?: readonly ClientParameters[] | undefined;
  /** How many times as long each verifies, while something else is on its cores; may change. Default: once. */
  readonly slowdown?: Float64Array;
}

export interface Topic extends TopicMesh {
  readonly members: Int32Array;
  /** A node's place among the members; -1 for none. */
  readonly placeOf: Int32Array;
  /** By place: verified messages in order; those from `told` on are still announced. */
  readonly verified: number[][];
  readonly told: Int32Array;
  /** Messages that have been delivered, as `deliveredUs` says, too. */
  readonly delivered: PlaceBits;
  /** Messages that were passed on: which peers have sent them matters no more. */
  readonly passed: PlaceBits;
  /** Messages that were asked for. */
  readonly asked: PlaceBits;
}

/** A topic on which nothing has been said yet. */
export function quietTopic({ peers, back }: TopicMesh, members: Int32Array, placeOf: Int32Array): Topic {
  const count = members.length;
  return {
    peers,
    back,
    members,
    placeOf,
    verified: Array.from(members, () => []),
    told: new Int32Array(count),
    delivered: new PlaceBits(count),
    passed: new PlaceBits(count),
    asked: new PlaceBits(count),
  };
}

/** What an event is. */
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

/** What topics are run on. */
export interface GossipSetting {
  readonly nodes: GossipNodes;
  readonly network: NamedNetwork;
  readonly gossip: GossipsubParameters;
  readonly client: ClientParameters;
  readonly costs: BatchCosts;
  /** Whether topics are gossiped on as the post has it, see `PlainGossip`. Default: false. */
  readonly isPlain?: boolean;
  /**
   * Flow control: for how long a receiver's download may be busy before copies for it wait at their senders, which send
   * others first. Default: for ever.
   */
  readonly aheadUs?: number;
  /** An empty one, of a run that is over. Default: a new one. */
  readonly queue?: EventQueue;
}

/** What a run has cost so far. */
export class GossipCosts {
  /**
   * By node: bytes that came to its download and that its upload began with, and of these the control messages'. Some of
   * them may wait for the link or be on it: `GossipRun.through` counts those that are through.
   */
  readonly received: Float64Array;
  readonly sent: Float64Array;
  readonly control: Float64Array;
  /** By node: copies of messages that came, and of these the superfluous. */
  readonly copies: Float64Array;
  readonly duplicates: Float64Array;
  /** By node: microseconds of cores. */
  readonly busyUs: Float64Array;
  /** Messages that a full queue dropped. */
  dropped = 0;
  /** Messages that were not verified, or not passed on, for another has all that they have. */
  ignored = 0;
  /** Copies that were not sent for they had waited too long for a link. */
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

/** What links and cores of a run share: its events, its topics and messages, and what has been counted. */
export class GossipState {
  readonly setting: GossipSetting;
  readonly queue: EventQueue;
  readonly topics: Topic[] = [];
  readonly messages: GossipMessage[] = [];
  /**
   * By message, what each of its copies needs, without a look at the message itself: its topic, its place among those of
   * the topic, or -1 for a bundle; how many it stands for, how soon it is verified, and the bytes of all
   * that it stands for on a link.
   */
  readonly topicOf: number[] = [];
  readonly rank: number[] = [];
  readonly together: number[] = [];
  readonly priority: Priority[] = [];
  readonly wireBytes: number[] = [];
  /** Whether who has it says so to its peers (IDONTWANT). */
  readonly isLarge: boolean[] = [];
  /** By message and place; in plain gossip nothing. */
  readonly deliveredUs: Int32Array[] = [];
  /** The peers that have sent a message, a bit each; in plain gossip nothing. */
  readonly from: Int32Array[] = [];
  readonly verifiedUs: Int32Array[] = [];
  /** By message: those of which each has all that it has. */
  readonly covers: (readonly number[] | undefined)[] = [];
  hasCovers = false;
  readonly costs: GossipCosts;
  /** By topic: how many messages it has. */
  readonly #messagesOf: number[] = [];

  constructor(setting: GossipSetting) {
    this.setting = setting;
    this.queue = setting.queue ?? new EventQueue();
    this.costs = new GossipCosts(setting.nodes.up.length);
  }

  get nowUs(): number {
    return this.queue.timeUs;
  }

  /** Adds a message that nobody has yet. @returns its number. */
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

  /** Adds a bundle, which nobody verifies as such. @returns its number. */
  addBundle(topic: number, parts: readonly number[], bytes: number): number {
    return this.addUnranked({ topic, bytes, sets: 0, keyUs: 0, priority: Priority.vote, together: 1, parts });
  }

  /** Adds a message of which no member's times are kept. @returns its number. */
  addUnranked(message: GossipMessage): number {
    for (const by of [this.deliveredUs, this.verifiedUs, this.from]) by.push(noMembers);
    this.rank.push(-1);
    return this.#add(message);
  }

  /** What is kept is an object of one shape, however the message was put together: all that is hot reads it. */
  #add({ topic, bytes, sets, keyUs, priority, together, parts, isInvalid }: GossipMessage): number {
    const { overheadBytes, idontwantBytes } = this.setting.gossip;
    this.topicOf.push(topic);
    this.together.push(together);
    this.priority.push(priority);
    this.wireBytes.push(together * (bytes + overheadBytes));
    this.isLarge.push(parts === undefined && bytes > (idontwantBytes ?? Number.POSITIVE_INFINITY));
    return this.messages.push({ topic, bytes, sets, keyUs, priority, together, parts, isInvalid }) - 1;
  }

  /** Whether another that has all that this one has was verified before; counted. */
  isIgnored(number: number, place: number): boolean {
    const isCovered = this.covers[number]?.some((other) => this.verifiedUs[other]![place] !== -1) ?? false;
    if (isCovered) this.costs.ignored += this.messages[number]!.together;
    return isCovered;
  }
}
