import type { RandomStream } from '@tutti/core';
import { plainMesh } from '@tutti/core/horn';
import { EventQueue, type NamedNetwork } from '@tutti/simulation/engine';
import type { BatchCosts, ClientParameters } from '../../horn/network/client.ts';
import type { GossipsubParameters } from '../../horn/network/gossipsub.ts';

/** Maximum time, µs; times are 32-bit integers. */
export const maxTimeUs = 2 ** 31 - 1;

/** Initial number of words per member. */
const firstWords = 4;

/**
 * One bit for each pair of a member and a message of a topic. A member's bits are adjacent in memory, so that queries
 * about many messages of one member are answered from the processor's cache.
 */
export class PlaceBits {
  readonly #members: number;
  /** Number of words per member, each for 32 messages. */
  #words = firstWords;
  #bits: Int32Array;

  constructor(members: number) {
    this.#members = members;
    this.#bits = new Int32Array(members * firstWords);
  }

  /**
   * Returns the bit.
   *
   * @param rank index of the message among the topic's messages.
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

/** Kinds of messages by priority. Lower numbers are verified first. */
export const Priority = { global: 0, committee: 1, vote: 2 } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];

/** A message, or several messages that travel together and are simulated as one. */
export interface GossipMessage {
  readonly topic: number;
  /** Length of each message on the wire without the transport's overhead, bytes. */
  readonly bytes: number;
  /** Number of signature sets of each message. */
  readonly sets: number;
  /** Time that one core takes to sum each message's keys and to do all work other than its signature sets, µs. */
  readonly keyUs: number;
  readonly priority: Priority;
  /** Number of messages that this message represents. */
  readonly together: number;
  /** Messages of a bundle. Each message contributes only its own bytes. */
  readonly parts?: readonly number[] | undefined;
  /** True if verification fails. No node forwards such a message. */
  readonly isInvalid?: boolean | undefined;
}

/** Machines and links of the nodes on which topics are simulated, one entry per node. */
export interface GossipNodes {
  /** Link rates, bytes per microsecond. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /**
   * Number of real messages that each simulated message represents at a node. The number exceeds 1 if only some of the
   * node's topics are simulated. Links and cores are as busy as with all topics.
   */
  readonly load: Float64Array;
  /** Verification parameters of each node. Default: the run's client for all nodes. */
  readonly clients?: readonly ClientParameters[] | undefined;
  /**
   * Factor by which each node verifies more slowly while its cores have other work. The factor may change during a run.
   * Default: 1.
   */
  readonly slowdown?: Float64Array;
}

/** A topic with its members' progress. A member is identified by its place, which is its index in the topic's list. */
export interface Topic extends TopicMesh {
  readonly members: Int32Array;
  /** Place of each node among the members; -1 for nodes outside the topic. */
  readonly placeOf: Int32Array;
  /** Verified messages by place, in order. Messages from `announcedFrom` on are announced at heartbeats. */
  readonly verified: number[][];
  readonly announcedFrom: Int32Array;
  /** Messages that have been delivered, as in `deliveredUs`. */
  readonly delivered: PlaceBits;
  /** Messages that a member has forwarded. The peers that sent them no longer matter. */
  readonly passed: PlaceBits;
  /** Messages that a member has requested. */
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

/** Settings with which topics are simulated. */
export interface GossipSetting {
  readonly nodes: GossipNodes;
  readonly network: NamedNetwork;
  readonly gossip: GossipsubParameters;
  readonly client: ClientParameters;
  readonly costs: BatchCosts;
  /** True for plain gossip as in the post; see `PlainGossip`. Default: false. */
  readonly isPlain?: boolean;
  /**
   * Time for which a receiver's download may be busy before copies for it wait at their senders, which send other
   * copies first (flow control), µs. Default: no limit.
   */
  readonly aheadUs?: number;
  /** The empty queue of a finished run, to be reused. Default: a new queue. */
  readonly queue?: EventQueue;
}

/** Costs of a run so far. */
export class GossipCosts {
  /** Bytes received by each node. */
  readonly received: Float64Array;
  /** Bytes sent by each node. */
  readonly sent: Float64Array;
  /** Bytes sent by each node in control messages. */
  readonly control: Float64Array;
  /** Number of copies received by each node. */
  readonly copies: Float64Array;
  /** Number of superfluous copies received by each node. */
  readonly duplicates: Float64Array;
  /** Busy time of cores by node, µs. */
  readonly busyUs: Float64Array;
  /** Number of messages that full verification queues dropped. */
  dropped = 0;
  /** Number of messages that were not verified or not forwarded because another message contains all their votes. */
  ignored = 0;
  /** Number of copies that were not sent because they had waited too long for a link. */
  expired = 0;
  /** Number of bytes of copies that the network lost. */
  lost = 0;

  constructor(nodes: number) {
    this.received = new Float64Array(nodes);
    this.sent = new Float64Array(nodes);
    this.control = new Float64Array(nodes);
    this.copies = new Float64Array(nodes);
    this.duplicates = new Float64Array(nodes);
    this.busyUs = new Float64Array(nodes);
  }

  copy(): GossipCosts {
    const values = Object.entries(this).map(([key, value]) => [key, typeof value === 'number' ? value : value.slice()]);
    return Object.assign(new GossipCosts(0), Object.fromEntries(values));
  }
}

/**
 * Returns whether a member's peer has sent a message to the member, according to the bits of {@link GossipState.from}.
 */
export function hasSent(from: number, peer: number): boolean {
  return peer < 32 && ((from >>> peer) & 1) === 1;
}

const noMembers = new Int32Array(0);

/** Shared state of a run's links and cores: events, topics, messages and costs. */
export class GossipState {
  readonly setting: GossipSetting;
  readonly queue: EventQueue;
  readonly topics: Topic[] = [];
  readonly messages: GossipMessage[] = [];
  /**
   * Data needed for each copy, by message: topic, index among the topic's messages (-1 for a bundle or a message
   * between two nodes), number of messages represented, priority, and bytes on a link.
   */
  readonly topicOf: number[] = [];
  readonly rank: number[] = [];
  readonly together: number[] = [];
  readonly priority: Priority[] = [];
  readonly wireBytes: number[] = [];
  /** True if a node that receives the message announces this to its peers (IDONTWANT). */
  readonly isLarge: boolean[] = [];
  /**
   * Delivery times by message and place, µs; -1 for never; empty in plain gossip. Messages with rank -1 have empty rows,
   * as in the next two lists.
   */
  readonly deliveredUs: Int32Array[] = [];
  /**
   * Mesh peers that have sent a message to each member, one bit for each of the member's first 32 peers; empty in plain
   * gossip. A member does not remember the other peers, and sends them a superfluous copy.
   */
  readonly from: Int32Array[] = [];
  /** Verification times by message and place, µs; -1 for never. */
  readonly verifiedUs: Int32Array[] = [];
  /** Messages that each contain all votes of a given message, by message. */
  readonly covers: (readonly number[] | undefined)[] = [];
  hasCovers = false;
  readonly costs: GossipCosts;
  /** Number of messages on each topic. */
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
   * Adds a message that no node has received yet.
   *
   * @returns the message's number.
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
   * Adds a message without its members' delivery times: a bundle, or a message from one node to another.
   *
   * @returns the message's number.
   */
  addUnranked(message: GossipMessage): number {
    for (const by of [this.deliveredUs, this.verifiedUs, this.from]) by.push(noMembers);
    this.rank.push(-1);
    return this.#add(message);
  }

  /** Stores a message as an object of one fixed shape, however it was created, because all hot code reads it. */
  #add({ topic, bytes, sets, keyUs, priority, together, parts, isInvalid }: GossipMessage): number {
    const { overheadBytes, idontwantBytes } = this.setting.gossip;
    this.topicOf.push(topic);
    this.together.push(together);
    this.priority.push(priority);
    this.wireBytes.push(together * (bytes + overheadBytes));
    this.isLarge.push(parts === undefined && bytes >= (idontwantBytes ?? Number.POSITIVE_INFINITY));
    return this.messages.push({ topic, bytes, sets, keyUs, priority, together, parts, isInvalid }) - 1;
  }

  /**
   * Returns whether another message with all votes of this message has already been verified. The function counts such
   * cases.
   */
  isIgnored(number: number, place: number): boolean {
    const isCovered = this.covers[number]?.some((other) => this.verifiedUs[other]![place] !== -1) ?? false;
    if (isCovered) this.costs.ignored += this.messages[number]!.together;
    return isCovered;
  }
}

/** Mesh of a topic, by place. */
export interface TopicMesh {
  /** Mesh peers of each member. */
  readonly peers: readonly Int32Array[];
  /** Index of each member in the lists of its peers, in the order of `peers`. */
  readonly back: readonly Int32Array[];
}

/**
 * Draws a mesh as gossipsub maintains it. At each heartbeat, a node with fewer than D_low peers grafts up to D peers,
 * except peers that have D_high. Grafting repeats until nothing changes, at most ten times. Grafts are mutual, so no
 * node ever has more than D_high peers and has to prune. Scores and outbound quotas are not modelled.
 */
export function drawMesh(
  members: number,
  { d, dLow, dHigh }: Pick<GossipsubParameters, 'd' | 'dLow' | 'dHigh'>,
  random: RandomStream,
): TopicMesh {
  const peers: Set<number>[] = Array.from({ length: members }, () => new Set());
  if (members - 1 <= d) {
    for (let a = 0; a < members; a++) for (let b = 0; b < members; b++) if (a !== b) peers[a]!.add(b);
    return meshOf(peers);
  }
  for (let heartbeat = 0; heartbeat < 10; heartbeat++) {
    let isQuiet = true;
    for (let a = 0; a < members; a++) {
      const of = peers[a]!;
      if (of.size < dLow) {
        isQuiet = false;
        for (let tries = 0; of.size < d && tries < 20 * d; tries++) {
          const b = random.nextBelow(members);
          // A node with D_high peers rejects a graft.
          if (b === a || of.has(b) || peers[b]!.size >= dHigh) continue;
          of.add(b);
          peers[b]!.add(a);
        }
      }
    }
    if (isQuiet) break;
  }
  return meshOf(peers);
}

/** Draws a random mesh in which every member has D neighbours, if there are enough other members. */
export function drawPlainMesh(members: number, { d }: Pick<GossipsubParameters, 'd'>, random: RandomStream): TopicMesh {
  return meshOf(plainMesh(members, d, random));
}

/**
 * Creates a mesh from its edges.
 *
 * @param sets peers of each member; the relation must be mutual.
 */
function meshOf(sets: readonly Iterable<number>[]): TopicMesh {
  const peers = sets.map((of) => Int32Array.from(of));
  const back = peers.map((of, a) => of.map((b) => peers[b]!.indexOf(a)));
  return { peers, back };
}
