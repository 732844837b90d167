import type { RandomStream } from '@tutti/core';
import type { Bundles, GossipsubParameters } from '../../horn/network/gossipsub.ts';
import type { GossipLinks } from './gossipLinks.ts';
import { type GossipState, hasSent, Kind, Priority, type Topic } from './gossipState.ts';

/** Announcements of nodes at heartbeats (IHAVE), and the resulting requests (IWANT). */
export class GossipHeartbeats {
  readonly #state: GossipState;
  readonly #links: GossipLinks;
  readonly #gossip: GossipsubParameters;
  readonly #random: RandomStream;
  readonly #isRunning: Uint8Array;

  constructor(state: GossipState, links: GossipLinks, random: RandomStream) {
    this.#state = state;
    this.#links = links;
    this.#gossip = state.setting.gossip;
    this.#random = random;
    this.#isRunning = new Uint8Array(state.setting.nodes.up.length);
  }

  /** Starts the heartbeats of a node, unless they are already running. */
  join(node: number): void {
    if (this.#isRunning[node] === 1) return;
    this.#isRunning[node] = 1;
    const firstUs = Math.floor(this.#random.nextUnit() * this.#gossip.heartbeatMs * 1000);
    this.#state.queue.push(firstUs, Kind.heartbeat, node, 0, 0);
  }

  /**
   * Announces recently verified messages to some members outside the mesh, on each topic of the node.
   *
   * Intentional divergence: the members are drawn with replacement, whereas gossipsub draws distinct members. If few
   * members are outside the mesh, fewer distinct members therefore receive an announcement: 4.0 of 6 on average with
   * D_lazy 6. Each repeated announcement uses bandwidth.
   */
  announce(node: number): void {
    const { queue, nowUs, topics } = this.#state;
    for (const topic of topics) {
      const place = topic.placeOf[node]!;
      if (place !== -1) this.#announceOn(topic, place);
    }
    queue.push(nowUs + Math.round(1000 * this.#gossip.heartbeatMs), Kind.heartbeat, node, 0, 0);
  }

  #announceOn(topic: Topic, place: number): void {
    const recent = this.#recentOf(topic, place);
    if (recent.length === 0) return;
    const bytes = this.#idsBytes(recent);
    const others = topic.members.length - 1 - topic.peers[place]!.length;
    for (let lazy = 0; lazy < Math.min(this.#gossip.dLazy, others); lazy++) {
      const other = this.#drawOutside(topic, place);
      this.#links.sendIds(topic.members[place]!, topic.members[other]!, bytes);
      for (const number of recent) this.#request(topic, place, other, number);
    }
  }

  /** Returns the messages that a member has verified within the time for which messages are announced. */
  #recentOf({ verified, announcedFrom }: Topic, place: number): readonly number[] {
    const { heartbeatMs, historyGossip } = this.#gossip;
    const sinceUs = this.#state.nowUs - historyGossip * heartbeatMs * 1000;
    const all = verified[place]!;
    let from = announcedFrom[place]!;
    while (from < all.length && this.#state.verifiedUs[all[from]!]![place]! < sinceUs) from++;
    announcedFrom[place] = from;
    return all.slice(from);
  }

  /** Returns the length of the identifiers of a topic's messages, bytes. A topic carries either only votes or no votes. */
  #idsBytes(numbers: readonly number[]): number {
    const { bundles, idBytes } = this.#gossip;
    const { messages, together } = this.#state;
    const isBundled = bundles !== undefined && messages[numbers[0]!]!.priority === Priority.vote;
    const count = numbers.reduce((sum, number) => sum + together[number]!, 0);
    return count * (isBundled ? bundles.idBytes : idBytes);
  }

  /** Draws a member outside a member's mesh; there must be one. */
  #drawOutside({ peers, members }: Topic, place: number): number {
    let other = place;
    while (other === place || peers[place]!.includes(other)) other = this.#random.nextBelow(members.length);
    return other;
  }

  /** Schedules another member's request for an announced message, unless that member has the message or requested it. */
  #request({ members, delivered, asked }: Topic, place: number, other: number, number: number): void {
    const { rank, setting, queue, nowUs } = this.#state;
    if (delivered.has(other, rank[number]!) || asked.has(other, rank[number]!)) return;
    asked.add(other, rank[number]!);
    const [node, target] = [members[place]!, members[other]!];
    const thereAndBackUs = setting.network.oneWayUs(node, target) + setting.network.oneWayUs(target, node);
    queue.push(nowUs + thereAndBackUs, Kind.wanted, node, number, other);
  }

  /** Handles a request for a message. The message is sent unless it has arrived in the meantime. */
  wanted(node: number, number: number, other: number): void {
    const { topics, topicOf, rank } = this.#state;
    if (topics[topicOf[number]!]!.delivered.has(other, rank[number]!)) return;
    this.#links.enqueue(node, number, other, -1, this.#links.untilUs(this.#gossip.forwardWaitMs));
    this.#links.pump(node);
  }
}

/**
 * Votes that nodes hold until their next tick, when the nodes send these votes to their mesh peers together (EIP-8334).
 */
export class GossipBundles {
  readonly #state: GossipState;
  readonly #links: GossipLinks;
  readonly #bundles: Bundles;
  /** Phase of each node's ticks, as a share of the interval. */
  readonly #phase: Float64Array;
  /** Messages for the next tick, by topic and place. */
  readonly #held: (number[] | undefined)[][] = [];

  constructor(state: GossipState, links: GossipLinks, bundles: Bundles, random: RandomStream) {
    this.#state = state;
    this.#links = links;
    this.#bundles = bundles;
    this.#phase = Float64Array.from(state.setting.nodes.up, () => random.nextUnit());
  }

  /** Holds a vote that a member has verified. */
  hold(topic: number, place: number, number: number): void {
    this.#held[topic] ??= [];
    this.#held[topic][place] ??= [];
    // The first held vote schedules the tick.
    if (this.#held[topic][place].push(number) > 1) return;
    const tickUs = 1000 * this.#bundles.tickMs;
    const phase = this.#phase[this.#state.topics[topic]!.members[place]!]!;
    const atUs = Math.ceil((Math.floor(this.#state.nowUs / tickUs - phase) + 1 + phase) * tickUs);
    this.#state.queue.push(atUs, Kind.tick, topic, place, 0);
  }

  /** Sends the held votes to each mesh peer that has not sent them, in bundles of limited size. */
  tick(topic: number, place: number): void {
    const { peers, back, members } = this.#state.topics[topic]!;
    const node = members[place]!;
    const held = this.#held[topic]![place]!;
    const untilUs = this.#links.untilUs(this.#state.setting.gossip.forwardWaitMs);
    peers[place]!.forEach((peer, index) => {
      let parts: number[] = [];
      let votes = 0;
      const send = () => {
        if (parts.length === 0) return;
        const { dataBytes, voteBytes } = this.#bundles;
        // No node verifies a bundle as such.
        const number = this.#state.addUnranked({
          topic,
          parts,
          bytes: dataBytes + votes * voteBytes,
          sets: 0,
          keyUs: 0,
          priority: Priority.vote,
          together: 1,
        });
        this.#links.enqueue(node, number, peer, back[place]![index]!, untilUs);
        parts = [];
        votes = 0;
      };
      for (const number of held) {
        if (hasSent(this.#state.from[number]![place]!, index)) continue;
        const { together } = this.#state.messages[number]!;
        if (votes + together > this.#bundles.maxVotes) send();
        parts.push(number);
        votes += together;
      }
      send();
    });
    held.length = 0;
    this.#links.pump(node);
  }
}
