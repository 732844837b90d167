import { RandomStream } from '@tutti/core';
import { drawnIndices } from '@tutti/core/horn';
import type { GossipsubParameters } from '../../horn/network/gossipsub.ts';
import { GossipCores } from './gossipCores.ts';
import { GossipLinks } from './gossipLinks.ts';
import {
  drawMesh,
  drawPlainMesh,
  type GossipCosts,
  type GossipMessage,
  type GossipSetting,
  GossipState,
  Kind,
  Priority,
  quietTopic,
  type Topic,
} from './gossipState.ts';
import { GossipBundles, GossipHeartbeats } from './gossipTimers.ts';
import { PlainGossip } from './plainGossip.ts';

/** Duration below which a reception is assumed to take no time, µs. */
const instantUs = 50;

/**
 * Simulation of every message in gossipsub. Each copy waits for its sender's upload and its receiver's download. The
 * receiver's cores verify messages in batches, by priority. A valid message is forwarded to the node's mesh peers.
 * Copies that a peer has announced as unwanted (IDONTWANT) are not sent. Missing messages that are announced at
 * heartbeats (IHAVE) are requested (IWANT).
 *
 * Congestion control is modelled only as slow start, and loss only as lost copies; see {@link GossipsubParameters}. The
 * simulation models neither scores nor the peers outside the mesh that flood publishing would reach.
 *
 * In plain gossip each node has D neighbours on a topic. {@link PlainGossip} then determines the behaviour of the
 * nodes.
 */
export class GossipRun {
  /** Number of events handled. */
  events = 0;
  /**
   * Called when a node has verified a message, whether valid or not, has received a message that needs no verification,
   * or publishes a message of its own on a topic of which it is a member.
   */
  onVerified: (message: number, node: number, atUs: number) => void = () => {};
  /**
   * Returns whether a node has already verified the content of a message within another message. In that case, the node
   * forwards the message immediately.
   */
  isKnown: (message: number, node: number) => boolean = () => false;
  /** Called at the times passed to {@link at}. */
  onAct: (action: number) => void = () => {};

  readonly links: GossipLinks;
  readonly #state: GossipState;
  readonly #cores: GossipCores;
  readonly #heartbeats: GossipHeartbeats;
  readonly #bundles: GossipBundles | undefined;
  readonly #plain: PlainGossip | undefined;
  readonly #gossip: GossipsubParameters;
  readonly #random: RandomStream;
  readonly #allNodes: Int32Array;
  #directTopic: number | undefined;

  constructor(setting: GossipSetting, seed: number) {
    const { gossip } = setting;
    this.#state = new GossipState(setting);
    this.links = new GossipLinks(this.#state, new RandomStream(seed, 'lost copies'));
    this.#cores = new GossipCores(this.#state, (node, number) => this.#verified(node, number));
    this.#gossip = gossip;
    this.#allNodes = Int32Array.from(setting.nodes.up, (_, node) => node);
    this.#random = new RandomStream(seed, 'gossipsub');
    this.#heartbeats = new GossipHeartbeats(this.#state, this.links, this.#random);
    this.#bundles =
      gossip.bundles &&
      new GossipBundles(this.#state, this.links, gossip.bundles, new RandomStream(seed, 'ticks of bundles'));
    if (setting.isPlain === true)
      this.#plain = new PlainGossip(this.#state, (number, node) => this.onVerified(number, node, this.nowUs));
  }

  get costs(): GossipCosts {
    return this.#state.costs;
  }

  /** Number of copies that plain gossip sent; 0 for gossipsub. */
  get plainCopies(): number {
    return this.#plain?.copies ?? 0;
  }

  get nowUs(): number {
    return this.#state.queue.timeUs;
  }

  /** Adds a topic of these nodes, and returns its number. */
  addTopic(members: Int32Array): number {
    const placeOf = new Int32Array(this.#state.setting.nodes.up.length).fill(-1);
    members.forEach((node, place) => {
      placeOf[node] = place;
      if (this.#plain === undefined && this.#gossip.dLazy > 0) this.#heartbeats.join(node);
    });
    const draw = this.#plain === undefined ? drawMesh : drawPlainMesh;
    const topic = quietTopic(draw(members.length, this.#gossip, this.#random), members, placeOf);
    this.#plain?.addTopic(topic);
    return this.#state.topics.push(topic) - 1;
  }

  /** Topic of messages between two nodes. All nodes are on the topic, and no node forwards. */
  get #direct(): number {
    this.#directTopic ??=
      this.#state.topics.push(quietTopic({ peers: [], back: [] }, this.#allNodes, this.#allNodes)) - 1;
    return this.#directTopic;
  }

  /**
   * Returns the total number of neighbours that the members of a topic lack. The target is D, or all other members if
   * there are fewer.
   */
  missingPeers(topic: number): number {
    const { peers } = this.#state.topics[topic]!;
    const aim = Math.min(this.#gossip.d, Math.max(0, peers.length - 1));
    return peers.reduce((sum, of) => sum + Math.max(0, aim - of.length), 0);
  }

  /**
   * Publishes a message of a node: over its own mesh, or to D members of a topic that the node is not on.
   *
   * @param isOwed true if the node's link is already busy with the message, see {@link burden}. The copies of the
   * message then leave immediately.
   * @returns the message's number.
   */
  publish(atUs: number, node: number, message: GossipMessage, isOwed = false): number {
    const number = this.#state.addMessage(message);
    this.#plain?.addMessage(message);
    this.#state.queue.push(Math.round(atUs), Kind.publish, node, number, isOwed ? 1 : 0);
    return number;
  }

  /**
   * Sends a message from one node to another.
   *
   * @param isUrgent true if the message overtakes waiting messages.
   * @returns the message's number.
   */
  send(node: number, to: number, message: Omit<GossipMessage, 'topic' | 'together'>, isUrgent: boolean): number {
    const number = this.#state.addUnranked({ ...message, topic: this.#direct, together: 1 });
    if (isUrgent) this.links.burden(node, this.nowUs, this.#state.wireBytes[number]!, 0);
    this.links.pass(node, number, { peers: [to], back: [], waitMs: undefined, isOwed: isUrgent });
    return number;
  }

  /** Excludes a message from verification and forwarding by nodes that have verified one of the messages `by`. */
  cover(message: number, by: readonly number[]): void {
    this.#state.covers[message] = by;
    this.#state.hasCovers = true;
  }

  /** Occupies a node's links with other bytes from a time on, and its cores with more urgent work. */
  burden(node: number, fromUs: number, upBytes: number, downBytes: number, coreUs: number): void {
    this.links.burden(node, fromUs, upBytes, downBytes);
    (this.#plain ?? this.#cores).burden(node, fromUs, coreUs);
  }

  /**
   * Returns the costs of the run so far, counting only bytes that have passed their links. In contrast, `costs` also
   * counts bytes that a link has begun to send or that wait for a download.
   */
  through(): GossipCosts {
    const costs = this.#state.costs.copy();
    for (const node of this.#allNodes) {
      costs.sent[node] = this.links.sentBytes(node);
      costs.received[node] = this.links.receivedBytes(node);
    }
    return costs;
  }

  /** Returns the time that one core would take to verify the waiting messages, µs; see {@link GossipCores}. */
  waitingCoreUs(node: number): number {
    return (this.#plain ?? this.#cores).waitingCoreUs(node);
  }

  /** Schedules a call of {@link onAct}. */
  at(atUs: number, action: number): void {
    this.#state.queue.push(Math.round(atUs), Kind.act, action, 0, 0);
  }

  /**
   * Returns the time at which each member received a message, by place, µs; -1 for a member that never received it. Empty
   * in plain gossip.
   */
  receivedUs(message: number): Int32Array {
    return this.#state.deliveredUs[message]!;
  }

  /** Returns the time at which each member verified a message, by place, µs; -1 for a member that never verified it. */
  verifiedUs(message: number): Int32Array {
    return this.#state.verifiedUs[message]!;
  }

  /**
   * Returns the time at which each member had the content of a message, from the message or from one that covers it,
   * µs; -1 for a member that never had it.
   */
  hadUs(message: number): Int32Array {
    const by = this.#state.covers[message];
    const own = this.#state.verifiedUs[message]!;
    if (by === undefined) return own;
    return own.map((at, place) =>
      by.reduce((first, other) => {
        const otherUs = this.#state.verifiedUs[other]![place]!;
        return otherUs !== -1 && (first === -1 || otherUs < first) ? otherUs : first;
      }, at),
    );
  }

  /** Runs all events up to a time. */
  run(untilUs: number): void {
    const queue = this.#state.queue;
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
          this.links.freed(queue.b);
          break;
        case Kind.downOpen:
          this.links.opened(queue.b);
          break;
        case Kind.verified:
          this.#cores.verified(queue.b, queue.c, queue.d);
          break;
        case Kind.plainCopy:
          this.#plain!.arrive(queue.b, queue.c, queue.d);
          break;
        case Kind.plainVerified:
          this.#plain!.verified(queue.b, queue.c, queue.d);
          break;
        case Kind.idle:
          (this.#plain ?? this.#cores).idle(queue.b);
          break;
        case Kind.due:
          this.#cores.due(queue.b);
          break;
        case Kind.heartbeat:
          this.#heartbeats.announce(queue.b);
          break;
        case Kind.tick:
          this.#bundles!.tick(queue.b, queue.c);
          break;
        case Kind.wanted:
          this.#heartbeats.wanted(queue.b, queue.c, queue.d);
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

  #publish(node: number, number: number, isOwed: boolean): void {
    const topic = this.#state.topics[this.#state.messages[number]!.topic]!;
    const place = topic.placeOf[node]!;
    if (place !== -1 && this.#plain !== undefined) {
      this.#plain.publish(place, number);
      return;
    }
    if (place !== -1) {
      this.#state.deliveredUs[number]![place] = this.nowUs;
      topic.delivered.add(place, this.#state.rank[number]!);
      if (this.#state.isIgnored(number, place)) return;
      this.#done(topic, place, number, this.#gossip.publishWaitMs, isOwed);
      return;
    }
    const chosen = drawnIndices(this.#random, this.#gossip.fanout ?? this.#gossip.d, topic.members.length);
    if (this.#plain !== undefined) this.#plain.publishTo(chosen, node, number);
    else this.links.pass(node, number, { peers: chosen, back: [], waitMs: this.#gossip.publishWaitMs, isOwed });
  }

  /** Handles a member's completed verification, after which it may forward the message. */
  #done(topic: Topic, place: number, number: number, waitMs: number | undefined, isOwed: boolean): void {
    this.#state.verifiedUs[number]![place] = this.nowUs;
    const node = topic.members[place]!;
    const from = this.#state.from[number]![place]!;
    topic.verified[place]!.push(number);
    this.onVerified(number, node, this.nowUs);
    if (this.#bundles !== undefined && !isOwed && this.#state.messages[number]!.priority === Priority.vote) {
      this.#bundles.hold(this.#state.messages[number]!.topic, place, number);
      return;
    }
    topic.passed.add(place, this.#state.rank[number]!);
    this.links.pass(node, number, { peers: topic.peers[place]!, back: topic.back[place]!, from, waitMs, isOwed });
  }

  /** Handles a copy that arrives at its receiver's link. */
  #arrive(place: number, number: number, bit: number): void {
    const { messages, topicOf, topics, rank, setting, wireBytes } = this.#state;
    const topic = topics[topicOf[number]!]!;
    const node = topic.members[place]!;
    const doneUs = this.links.receive(node, wireBytes[number]! * setting.nodes.load[node]!);
    if (rank[number] !== -1) {
      this.#take(topic, node, place, number, bit, doneUs);
      return;
    }
    const { parts } = messages[number]!;
    if (parts === undefined) this.#state.queue.push(Math.ceil(doneUs), Kind.deliver, place, number, 0);
    else for (const part of parts) this.#take(topic, node, place, part, bit, doneUs);
  }

  /** Handles a copy that has passed its receiver's link. */
  #take(topic: Topic, node: number, place: number, number: number, bit: number, doneUs: number): void {
    const { together, setting, costs, from, rank } = this.#state;
    const many = together[number]! * setting.nodes.load[node]!;
    costs.copies[node]! += many;
    if (bit >= 0 && bit < 32 && !topic.passed.has(place, rank[number]!)) from[number]![place]! |= 1 << bit;
    if (topic.delivered.has(place, rank[number]!)) {
      costs.duplicates[node]! += many;
      return;
    }
    if (doneUs <= this.nowUs + instantUs) this.#deliver(place, number);
    else this.#state.queue.push(Math.ceil(doneUs), Kind.deliver, place, number, 0);
  }

  #deliver(place: number, number: number): void {
    const { topics, topicOf, rank, together, isLarge, setting, costs, deliveredUs } = this.#state;
    if (rank[number] === -1) {
      this.#check(place, number);
      return;
    }
    const topic = topics[topicOf[number]!]!;
    const node = topic.members[place]!;
    const load = setting.nodes.load[node]!;
    if (topic.delivered.has(place, rank[number]!)) {
      costs.duplicates[node]! += together[number]! * load;
      return;
    }
    deliveredUs[number]![place] = this.nowUs;
    topic.delivered.add(place, rank[number]!);
    if (isLarge[number]!) {
      const bytes = together[number]! * this.#gossip.idBytes;
      for (const peer of topic.peers[place]!) this.links.sendIds(node, topic.members[peer]!, bytes);
    }
    this.#check(node, number);
  }

  /** Starts a node's verification of a message, unless the message needs none. */
  #check(node: number, number: number): void {
    const { keyUs, sets } = this.#state.messages[number]!;
    if ((sets === 0 && keyUs === 0) || this.isKnown(number, node)) this.#verified(node, number);
    else this.#cores.receive(node, number);
  }

  #verified(node: number, number: number): void {
    if (this.#state.rank[number] === -1 || this.#state.messages[number]!.isInvalid === true) {
      this.onVerified(number, node, this.nowUs);
      return;
    }
    const topic = this.#state.topics[this.#state.topicOf[number]!]!;
    const place = topic.placeOf[node]!;
    // Another message may have been verified in the meantime.
    if (!this.#state.isIgnored(number, place)) this.#done(topic, place, number, this.#gossip.forwardWaitMs, false);
  }
}
