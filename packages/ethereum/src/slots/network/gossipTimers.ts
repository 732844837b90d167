import type { RandomStream } from '@tutti/core';
import type { Bundles, GossipsubParameters } from '../../horn/network/gossipsub.ts';
import type { GossipLinks } from './gossipLinks.ts';
import { type GossipState, hasSent, Kind, Priority } from './gossipState.ts';

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
    const { heartbeatMs, historyGossip, dLazy, bundles } = this.#gossip;
    const { nowUs } = this.#state;
    const sinceUs = nowUs - historyGossip * heartbeatMs * 1000;
    for (const topic of this.#state.topics) {
      const place = topic.placeOf[node]!;
      if (place === -1) continue;
      const verified = topic.verified[place]!;
      let from = topic.announcedFrom[place]!;
      while (from < verified.length && this.#state.verifiedUs[verified[from]!]![place]! < sinceUs) from++;
      topic.announcedFrom[place] = from;
      if (from === verified.length) continue;
      const peers = topic.peers[place]!;
      const others = topic.members.length - 1 - peers.length;
      // A topic carries either only votes or no votes.
      const isBundled = bundles !== undefined && this.#state.messages[verified[from]!]!.priority === Priority.vote;
      const idBytes = isBundled ? bundles.idBytes : this.#gossip.idBytes;
      let count = 0;
      for (let index = from; index < verified.length; index++) count += this.#state.together[verified[index]!]!;
      for (let lazy = 0; lazy < Math.min(dLazy, others); lazy++) {
        let other = place;
        while (other === place || peers.includes(other)) other = this.#random.nextBelow(topic.members.length);
        this.#links.sendIds(node, topic.members[other]!, count * idBytes);
        for (let index = from; index < verified.length; index++) {
          const number = verified[index]!;
          const rank = this.#state.rank[number]!;
          if (topic.delivered.has(other, rank) || topic.asked.has(other, rank)) continue;
          topic.asked.add(other, rank);
          const target = topic.members[other]!;
          const thereAndBackUs =
            this.#state.setting.network.oneWayUs(node, target) + this.#state.setting.network.oneWayUs(target, node);
          this.#state.queue.push(nowUs + thereAndBackUs, Kind.wanted, node, number, other);
        }
      }
    }
    this.#state.queue.push(nowUs + Math.round(heartbeatMs * 1000), Kind.heartbeat, node, 0, 0);
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
