import { RandomStream } from '@tutti/core';
import { EventQueue } from '../../engine/eventQueue.ts';
import type { NetworkModel } from '../../engine/network/networkModel.ts';
import type { BatchCosts, ClientParameters } from '../../horn/network/client.ts';
import type { GossipsubParameters } from '../../horn/network/gossipsub.ts';
import { drawMesh, type TopicMesh } from './topicMesh.ts';

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
}

/** The machines and links that topics are played on, one entry a node. */
export interface GossipNodes {
  /** Bytes a microsecond. */
  readonly up: Float64Array;
  readonly down: Float64Array;
  /**
   * How many such messages a node handles for each one that is played: more than 1 if only some of its topics are
   * played. Links and cores are as busy as with all of them.
   */
  readonly load: Float64Array;
}

interface Topic extends TopicMesh {
  readonly members: Int32Array;
  /** A node's place among the members; -1 for none. */
  readonly placeOf: Int32Array;
  /** By place: verified messages in order; those from `told` on are still announced. */
  readonly verified: number[][];
  readonly told: Int32Array;
}

/** Messages of a node's own may leave at once; what is committed to its link within a millisecond is not taken back. */
const committedUs = 1000;
/** Shorter receptions are taken to need no time of their own. */
const instantUs = 50;
/** In the mask of peers that have sent a message: it was asked for. */
const asked = 1 << 30;

enum Kind {
  arrive = 0,
  deliver = 1,
  upFree = 2,
  checked = 3,
  due = 4,
  heartbeat = 5,
  wanted = 6,
  publish = 7,
  act = 8,
  idle = 9,
}

/**
 * Gossipsub with every message played: each copy waits for its sender's upload and its receiver's download, is verified
 * in a batch by the receiver's cores, by priority, and goes on to its mesh peers when it is valid. Copies that a peer
 * has said it does not want (IDONTWANT) are not sent; missing messages that are announced at heartbeats (IHAVE) are
 * requested (IWANT).
 *
 * Left out: loss of packets, congestion control, scores, invalid messages, and peers outside of the mesh that flood
 * publishing would reach.
 */
export class GossipRun {
  /** By node: bytes, messages and copies that came and went; microseconds of cores. */
  readonly received: Float64Array;
  readonly sent: Float64Array;
  readonly copies: Float64Array;
  readonly duplicates: Float64Array;
  readonly control: Float64Array;
  readonly busyUs: Float64Array;
  /** Messages that a full queue dropped. */
  dropped = 0;
  /** Messages that were not verified, or not passed on, for another has all that they have. */
  ignored = 0;
  /** Copies that were not sent for they had waited too long for a link. */
  expired = 0;
  events = 0;
  /** Called when a node has verified a message. */
  onVerified: (message: number, node: number, atUs: number) => void = () => {};
  /** Called at the times that {@link at} was given. */
  onAct: (action: number) => void = () => {};

  readonly #nodes: GossipNodes;
  readonly #network: NetworkModel;
  readonly #gossip: GossipsubParameters;
  readonly #client: ClientParameters;
  readonly #costs: BatchCosts;
  readonly #random: RandomStream;
  readonly #queue = new EventQueue();
  readonly #topics: Topic[] = [];
  readonly #messages: GossipMessage[] = [];
  readonly #origin: number[] = [];
  /** By message and place. */
  readonly #deliveredUs: Int32Array[] = [];
  readonly #verifiedUs: Int32Array[] = [];
  readonly #from: Int32Array[] = [];
  /** By message: those of which each has all that it has. */
  readonly #covers: (readonly number[] | undefined)[] = [];
  #hasCovers = false;

  /** By node: copies that wait for the upload, four numbers each, and the first that waits. */
  readonly #outbox: (number[] | undefined)[] = [];
  readonly #outNext: Int32Array;
  readonly #upFreeUs: Float64Array;
  readonly #upDue: Uint8Array;
  readonly #downFreeUs: Float64Array;
  /** By node and priority: messages to verify, and the first. */
  readonly #inbox: (number[] | undefined)[] = [];
  readonly #inNext: Int32Array;
  readonly #idle: Uint16Array;
  readonly #dueUs: Float64Array;
  readonly #batches: number[][] = [];
  readonly #freeBatches: number[] = [];
  readonly #hasHeartbeat: Uint8Array;

  constructor(
    nodes: GossipNodes,
    network: NetworkModel,
    gossip: GossipsubParameters,
    client: ClientParameters,
    costs: BatchCosts,
    seed: number,
  ) {
    const count = nodes.up.length;
    this.#nodes = nodes;
    this.#network = network;
    this.#gossip = gossip;
    this.#client = client;
    this.#costs = costs;
    this.#random = new RandomStream(seed, 'gossipsub');
    this.received = new Float64Array(count);
    this.sent = new Float64Array(count);
    this.copies = new Float64Array(count);
    this.duplicates = new Float64Array(count);
    this.control = new Float64Array(count);
    this.busyUs = new Float64Array(count);
    this.#outNext = new Int32Array(count);
    this.#upFreeUs = new Float64Array(count);
    this.#upDue = new Uint8Array(count);
    this.#downFreeUs = new Float64Array(count);
    this.#inNext = new Int32Array(3 * count);
    this.#idle = new Uint16Array(count).fill(client.cores);
    this.#dueUs = new Float64Array(count).fill(-1);
    this.#hasHeartbeat = new Uint8Array(count);
  }

  get nowUs(): number {
    return this.#queue.timeUs;
  }

  /** A topic of these nodes, by number. */
  addTopic(members: Int32Array): number {
    const placeOf = new Int32Array(this.#nodes.up.length).fill(-1);
    members.forEach((node, place) => {
      placeOf[node] = place;
      if (this.#hasHeartbeat[node] === 1) return;
      this.#hasHeartbeat[node] = 1;
      this.#queue.push(
        Math.floor(this.#random.nextUnit() * this.#gossip.heartbeatMs * 1000),
        Kind.heartbeat,
        node,
        0,
        0,
      );
    });
    const mesh = drawMesh(members.length, this.#gossip, this.#random);
    this.#topics.push({
      ...mesh,
      members,
      placeOf,
      verified: Array.from(members, () => []),
      told: new Int32Array(members.length),
    });
    return this.#topics.length - 1;
  }

  members(topic: number): Int32Array {
    return this.#topics[topic]!.members;
  }

  /**
   * Makes a node publish a message: over its own mesh, or if it is not on the topic, to D of its members.
   *
   * @param isOwed whether its link is busy with it already, see {@link burden}: its copies leave at once.
   */
  publish(atUs: number, node: number, message: GossipMessage, isOwed = false): number {
    const number = this.#messages.length;
    const { members } = this.#topics[message.topic]!;
    this.#messages.push(message);
    this.#origin.push(node);
    this.#deliveredUs.push(new Int32Array(members.length).fill(-1));
    this.#verifiedUs.push(new Int32Array(members.length).fill(-1));
    this.#from.push(new Int32Array(members.length));
    this.#queue.push(Math.round(atUs), Kind.publish, node, number, isOwed ? 1 : 0);
    return number;
  }

  /** Makes a message be ignored by whoever has verified one of these. */
  cover(message: number, by: readonly number[]): void {
    this.#covers[message] = by;
    this.#hasCovers = true;
  }

  /**
   * Makes a node's links busy with bytes of something else from a time on, and its cores with something more urgent.
   */
  burden(node: number, fromUs: number, upBytes: number, downBytes: number, coreUs: number): void {
    this.#upFreeUs[node] = fromUs + upBytes / this.#nodes.up[node]!;
    this.#downFreeUs[node] = fromUs + downBytes / this.#nodes.down[node]!;
    if (coreUs <= 0) return;
    const { cores } = this.#client;
    this.#idle[node] = 0;
    for (let core = 0; core < cores; core++) {
      this.#queue.push(Math.round(fromUs + coreUs / cores), Kind.idle, node, 0, 0);
    }
  }

  /**
   * Bytes that wait for a node's upload and will be sent before they have waited too long; copies among them that may
   * turn out not to be wanted.
   */
  waitingUp(node: number): number {
    const box = this.#outbox[node] ?? [];
    const up = this.#nodes.up[node]!;
    let freeUs = Math.max(this.nowUs, this.#upFreeUs[node]!);
    for (let next = this.#outNext[node]!; next < box.length; next += 4) {
      const message = this.#messages[box[next]!]!;
      const target = this.#topics[message.topic]!.members[box[next + 1]!]!;
      if (Math.max(freeUs, this.#downFreeUs[target]!) > box[next + 3]!) continue;
      freeUs += (this.#size(message) * this.#nodes.load[node]!) / up;
    }
    return (freeUs - this.nowUs) * up;
  }

  waitingDown(node: number): number {
    return Math.max(0, this.#downFreeUs[node]! - this.nowUs) * this.#nodes.down[node]!;
  }

  /** Microseconds of one core that what waits to be verified would take, in full batches. */
  waitingCoreUs(node: number): number {
    const load = this.#nodes.load[node]!;
    let us = 0;
    for (let priority = 0; priority < 3; priority++) {
      const box = this.#inbox[3 * node + priority] ?? [];
      for (let next = this.#inNext[3 * node + priority]!; next < box.length; next++) {
        const { together, sets, keyUs } = this.#messages[box[next]!]!;
        us += together * load * (sets * this.#costs.setUs + keyUs + this.#costs.batchUs / this.#client.batch);
      }
    }
    return us;
  }

  at(atUs: number, action: number): void {
    this.#queue.push(Math.round(atUs), Kind.act, action, 0, 0);
  }

  /** When each member had verified a message, by its place; -1 for not. */
  verifiedUs(message: number): Int32Array {
    return this.#verifiedUs[message]!;
  }

  /** When each member had the content of a message, from it or from one that covers it; -1 for never. */
  hadUs(message: number): Int32Array {
    const by = this.#covers[message];
    const own = this.#verifiedUs[message]!;
    if (by === undefined) return own;
    return own.map((at, place) =>
      by.reduce((first, other) => {
        const otherUs = this.#verifiedUs[other]![place]!;
        return otherUs !== -1 && (first === -1 || otherUs < first) ? otherUs : first;
      }, at),
    );
  }

  get messages(): number {
    return this.#messages.length;
  }

  /** Plays what happens up to a time. */
  run(untilUs: number): void {
    const queue = this.#queue;
    this.at(untilUs, -1);
    while (queue.next()) {
      this.events++;
      switch (queue.head as Kind) {
        case Kind.arrive:
          this.#arrive(queue.b, queue.c, queue.d);
          break;
        case Kind.deliver:
          this.#deliver(queue.b, queue.c);
          break;
        case Kind.upFree:
          this.#upDue[queue.b] = 0;
          this.#pump(queue.b);
          break;
        case Kind.checked:
          this.#checked(queue.b, queue.c, queue.d);
          break;
        case Kind.idle:
          this.#idle[queue.b]!++;
          this.#verify(queue.b);
          break;
        case Kind.due:
          if (this.#dueUs[queue.b] === queue.timeUs) this.#dueUs[queue.b] = -1;
          this.#verify(queue.b);
          break;
        case Kind.heartbeat:
          this.#heartbeat(queue.b);
          break;
        case Kind.wanted:
          this.#wanted(queue.b, queue.c, queue.d);
          break;
        case Kind.publish:
          this.#publish(queue.b, queue.c, queue.d === 1);
          break;
        case Kind.act:
          if (queue.b === -1) return;
          this.onAct(queue.b);
          break;
      }
    }
  }

  #size(message: GossipMessage): number {
    return message.together * (message.bytes + this.#gossip.overheadBytes);
  }

  #publish(node: number, number: number, isOwed: boolean): void {
    const { topic: of } = this.#messages[number]!;
    const topic = this.#topics[of]!;
    const place = topic.placeOf[node]!;
    if (place !== -1) {
      this.#deliveredUs[number]![place] = this.nowUs;
      if (this.#isIgnored(number, place)) return;
      this.#done(topic, place, number, this.#gossip.publishWaitMs, isOwed);
      return;
    }
    const { members } = topic;
    const chosen = new Set<number>();
    const most = Math.min(this.#gossip.d, members.length);
    while (chosen.size < most) chosen.add(this.#random.nextBelow(members.length));
    this.#pass(node, number, [...chosen], [], 0, this.#gossip.publishWaitMs, isOwed);
  }

  /** A member is done with a message: it may pass it on. */
  #done(topic: Topic, place: number, number: number, waitMs: number | undefined, isOwed: boolean): void {
    this.#verifiedUs[number]![place] = this.nowUs;
    topic.verified[place]!.push(number);
    const node = topic.members[place]!;
    this.onVerified(number, node, this.nowUs);
    this.#pass(node, number, topic.peers[place]!, topic.back[place]!, this.#from[number]![place]!, waitMs, isOwed);
  }

  /**
   * @param back under which number each peer has the node; none for a node without a mesh. @param from which of the
   * peers have sent it.
   */
  #pass(
    node: number,
    number: number,
    peers: ArrayLike<number>,
    back: ArrayLike<number>,
    from: number,
    waitMs: number | undefined,
    isOwed: boolean,
  ): void {
    let freeUs = this.nowUs;
    const untilUs = this.#until(waitMs);
    for (let index = 0; index < peers.length; index++) {
      if (((from >>> index) & 1) === 1) continue;
      const bit = back[index] ?? -1;
      if (!isOwed) this.#enqueue(node, number, peers[index]!, bit, untilUs);
      else if (this.#isInTime(number, peers[index]!, freeUs, untilUs)) {
        freeUs = this.#transmit(node, number, peers[index]!, bit, freeUs);
      }
    }
    if (!isOwed) this.#pump(node);
  }

  #until(waitMs: number | undefined): number {
    return waitMs === undefined ? Number.POSITIVE_INFINITY : this.nowUs + 1000 * waitMs;
  }

  /**
   * Whether upload and download are both free for a copy before it has waited too long. A download that is busy holds
   * up what is for it alone.
   */
  #isInTime(number: number, to: number, freeUs: number, untilUs: number): boolean {
    const message = this.#messages[number]!;
    const target = this.#topics[message.topic]!.members[to]!;
    if (Math.max(freeUs, this.#downFreeUs[target]!) <= untilUs) return true;
    this.expired += message.together;
    return false;
  }

  /** Sends a copy over a link that is free at a time. @returns when it is so again. */
  #transmit(node: number, number: number, to: number, bit: number, freeUs: number): number {
    const message = this.#messages[number]!;
    const target = this.#topics[message.topic]!.members[to]!;
    const size = this.#size(message) * this.#nodes.load[node]!;
    const sentUs = freeUs + size / this.#nodes.up[node]!;
    this.sent[node]! += size;
    this.#queue.push(Math.ceil(sentUs) + this.#network.oneWayUs(node, target), Kind.arrive, to, number, bit);
    return sentUs;
  }

  #enqueue(node: number, number: number, to: number, bit: number, untilUs: number): void {
    let box = this.#outbox[node];
    if (box === undefined) {
      box = [];
      this.#outbox[node] = box;
    }
    box.push(number, to, bit, untilUs);
  }

  #pump(node: number): void {
    if (this.#upDue[node] === 1) return;
    const box = this.#outbox[node];
    if (box === undefined) return;
    const now = this.nowUs;
    let next = this.#outNext[node]!;
    let freeUs = Math.max(this.#upFreeUs[node]!, now - 1);
    const threshold = this.#gossip.idontwantBytes;
    while (next < box.length) {
      if (freeUs > now + committedUs) {
        this.#upDue[node] = 1;
        this.#queue.push(Math.ceil(freeUs - committedUs / 2), Kind.upFree, node, 0, 0);
        break;
      }
      const number = box[next]!;
      const to = box[next + 1]!;
      const bit = box[next + 2]!;
      const untilUs = box[next + 3]!;
      next += 4;
      if (!this.#isInTime(number, to, freeUs, untilUs)) continue;
      const message = this.#messages[number]!;
      const target = this.#topics[message.topic]!.members[to]!;
      const deliveredUs = this.#deliveredUs[number]![to]!;
      const isSuperfluous =
        threshold !== undefined &&
        message.bytes > threshold &&
        deliveredUs !== -1 &&
        deliveredUs + this.#network.oneWayUs(node, target) <= now;
      if (!isSuperfluous) freeUs = this.#transmit(node, number, to, bit, freeUs);
    }
    this.#upFreeUs[node] = freeUs;
    if (next === box.length) {
      box.length = 0;
      next = 0;
    } else if (next > 4096 && next * 2 > box.length) {
      box.splice(0, next);
      next = 0;
    }
    this.#outNext[node] = next;
  }

  /** A copy is at its receiver's link. */
  #arrive(place: number, number: number, bit: number): void {
    const message = this.#messages[number]!;
    const topic = this.#topics[message.topic]!;
    const node = topic.members[place]!;
    const load = this.#nodes.load[node]!;
    const size = this.#size(message) * load;
    const now = this.nowUs;
    const doneUs = Math.max(this.#downFreeUs[node]!, now - 1) + size / this.#nodes.down[node]!;
    this.#downFreeUs[node] = doneUs;
    this.received[node]! += size;
    this.copies[node]! += message.together * load;
    if (bit >= 0) this.#from[number]![place]! |= 1 << bit;
    if (this.#deliveredUs[number]![place] !== -1) {
      this.duplicates[node]! += message.together * load;
      return;
    }
    if (doneUs <= now + instantUs) this.#deliver(place, number);
    else this.#queue.push(Math.ceil(doneUs), Kind.deliver, place, number, 0);
  }

  #deliver(place: number, number: number): void {
    const delivered = this.#deliveredUs[number]!;
    const message = this.#messages[number]!;
    const topic = this.#topics[message.topic]!;
    const node = topic.members[place]!;
    if (delivered[place] !== -1) {
      this.duplicates[node]! += message.together * this.#nodes.load[node]!;
      return;
    }
    delivered[place] = this.nowUs;
    const { idontwantBytes, idBytes } = this.#gossip;
    if (idontwantBytes !== undefined && message.bytes > idontwantBytes) {
      this.#tell(node, topic.peers[place]!.length * message.together * idBytes * this.#nodes.load[node]!);
    }
    const slot = 3 * node + message.priority;
    let box = this.#inbox[slot];
    if (box === undefined) {
      box = [];
      this.#inbox[slot] = box;
    }
    const most = message.priority === Priority.vote ? this.#client.voteQueue : this.#client.aggregateQueue;
    if ((box.length - this.#inNext[slot]!) * message.together * this.#nodes.load[node]! >= most) {
      this.dropped += message.together;
      if (this.#client.order === 'oldest-first') return;
      this.#inNext[slot]!++;
    }
    box.push(number);
    this.#verify(node);
  }

  /** Control messages take their part of the upload. */
  #tell(node: number, bytes: number): void {
    this.control[node]! += bytes;
    this.sent[node]! += bytes;
    this.#upFreeUs[node] = Math.max(this.#upFreeUs[node]!, this.nowUs) + bytes / this.#nodes.up[node]!;
  }

  #verify(node: number): void {
    const { batchWaitMs, order } = this.#client;
    // In messages that are played.
    const most = this.#client.batch / this.#nodes.load[node]!;
    for (let priority = 0; priority < 3 && this.#idle[node]! > 0; priority++) {
      const slot = 3 * node + priority;
      const box = this.#inbox[slot];
      if (box === undefined) continue;
      let next = this.#inNext[slot]!;
      while (next < box.length && this.#idle[node]! > 0) {
        const { together, topic } = this.#messages[box[next]!]!;
        const waiting = (box.length - next) * together;
        if (batchWaitMs > 0 && waiting < most) {
          const place = this.#topics[topic]!.placeOf[node]!;
          const readyUs = this.#deliveredUs[box[next]!]![place]! + 1000 * batchWaitMs;
          if (readyUs > this.nowUs) {
            if (this.#dueUs[node] === -1 || this.#dueUs[node]! > readyUs) {
              this.#dueUs[node] = readyUs;
              this.#queue.push(readyUs, Kind.due, node, 0, 0);
            }
            break;
          }
        }
        const take = Math.min(box.length - next, Math.max(1, Math.floor(most / together)));
        const id = this.#freeBatches.pop() ?? this.#batches.push([]) - 1;
        const taken = this.#batches[id]!;
        let count = 0;
        let eachUs = 0;
        for (let index = 0; index < take; index++) {
          const number = order === 'newest-first' ? box.pop()! : box[next++]!;
          const message = this.#messages[number]!;
          if (this.#hasCovers && this.#isIgnored(number, this.#topics[message.topic]!.placeOf[node]!)) continue;
          count += message.together;
          eachUs += message.together * (message.sets * this.#costs.setUs + message.keyUs);
          taken.push(number);
        }
        if (count > 0) this.#occupy(node, id, count, eachUs, waiting);
        else this.#freeBatches.push(id);
      }
      if (next === box.length) {
        box.length = 0;
        next = 0;
      } else if (next > 1024 && next * 2 > box.length) {
        box.splice(0, next);
        next = 0;
      }
      this.#inNext[slot] = next;
    }
  }

  /**
   * Puts a batch on a core. Where messages of other topics share the node, those that came while the batch waited are
   * in it, and those that come by themselves are checked by themselves: the core is busy for as long as all of them
   * take.
   *
   * @param eachUs what the messages take beside the batch. @param waiting messages that waited, these among them.
   */
  #occupy(node: number, id: number, count: number, eachUs: number, waiting: number): void {
    const load = this.#nodes.load[node]!;
    const { batchUs } = this.#costs;
    const { batch } = this.#client;
    if (load === 1) {
      const us = eachUs + batchUs * Math.max(1, count / batch);
      this.busyUs[node]! += us;
      this.#idle[node]!--;
      this.#queue.push(this.nowUs + Math.max(1, Math.round(us)), Kind.checked, node, id, 1);
      return;
    }
    const inBatch = Math.min(Math.max(batch, count), (waiting - 1) * load + 1);
    const us = batchUs * Math.max(1, count / batch) + (eachUs * inBatch) / count;
    const busyUs = load * eachUs + (batchUs * load * count) / Math.min(batch, inBatch);
    this.busyUs[node]! += busyUs;
    this.#idle[node]!--;
    this.#queue.push(this.nowUs + Math.max(1, Math.round(us)), Kind.checked, node, id, 0);
    this.#queue.push(this.nowUs + Math.max(1, Math.round(busyUs)), Kind.idle, node, 0, 0);
  }

  #isIgnored(number: number, place: number): boolean {
    const isCovered = this.#covers[number]?.some((other) => this.#verifiedUs[other]![place] !== -1) ?? false;
    if (isCovered) this.ignored += this.#messages[number]!.together;
    return isCovered;
  }

  #checked(node: number, id: number, isIdle: number): void {
    const batch = this.#batches[id]!;
    this.#idle[node]! += isIdle;
    for (const number of batch) {
      const topic = this.#topics[this.#messages[number]!.topic]!;
      const place = topic.placeOf[node]!;
      // Another may have been verified meanwhile.
      if (!this.#isIgnored(number, place)) this.#done(topic, place, number, this.#gossip.forwardWaitMs, false);
    }
    batch.length = 0;
    this.#freeBatches.push(id);
    this.#verify(node);
  }

  #heartbeat(node: number): void {
    const { heartbeatMs, historyGossip, dLazy, idBytes } = this.#gossip;
    const now = this.nowUs;
    const sinceUs = now - historyGossip * heartbeatMs * 1000;
    for (const topic of this.#topics) {
      const place = topic.placeOf[node]!;
      if (place === -1) continue;
      const verified = topic.verified[place]!;
      let told = topic.told[place]!;
      while (told < verified.length && this.#verifiedUs[verified[told]!]![place]! < sinceUs) told++;
      topic.told[place] = told;
      if (told === verified.length) continue;
      const peers = topic.peers[place]!;
      const others = topic.members.length - 1 - peers.length;
      let count = 0;
      for (let index = told; index < verified.length; index++) count += this.#messages[verified[index]!]!.together;
      for (let lazy = 0; lazy < Math.min(dLazy, others); lazy++) {
        let other = place;
        while (other === place || peers.includes(other)) other = this.#random.nextBelow(topic.members.length);
        this.#tell(node, count * idBytes * this.#nodes.load[node]!);
        this.received[topic.members[other]!]! += count * idBytes * this.#nodes.load[topic.members[other]!]!;
        for (let index = told; index < verified.length; index++) {
          const number = verified[index]!;
          if (this.#deliveredUs[number]![other] !== -1 || (this.#from[number]![other]! & asked) !== 0) continue;
          this.#from[number]![other]! |= asked;
          const target = topic.members[other]!;
          const thereAndBackUs = this.#network.oneWayUs(node, target) + this.#network.oneWayUs(target, node);
          this.#queue.push(now + thereAndBackUs, Kind.wanted, node, number, other);
        }
      }
    }
    this.#queue.push(now + Math.round(heartbeatMs * 1000), Kind.heartbeat, node, 0, 0);
  }

  #wanted(node: number, number: number, other: number): void {
    if (this.#deliveredUs[number]![other] !== -1) return;
    this.#enqueue(node, number, other, -1, this.#until(this.#gossip.forwardWaitMs));
    this.#pump(node);
  }
}
