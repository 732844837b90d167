import type { RandomStream } from '@tutti/core';
import type { Bundles } from '../../horn/network/gossipsub.ts';
import type { GossipLinks } from './gossipLinks.ts';
import { type GossipState, Kind } from './gossipState.ts';

/** Votes that nodes hold until their next tick, when they send them to their mesh peers together (EIP-8334). */
export class GossipBundles {
  readonly #state: GossipState;
  readonly #links: GossipLinks;
  readonly #bundles: Bundles;
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
    const held = this.#held[topic][place];
    if (held !== undefined && held.length > 0) {
      held.push(number);
      return;
    }
    if (held === undefined) this.#held[topic][place] = [number];
    else held.push(number);
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
        const number = this.#state.addBundle(topic, parts, dataBytes + votes * voteBytes);
        this.#links.enqueue(node, number, peer, back[place]![index]!, untilUs);
        parts = [];
        votes = 0;
      };
      for (const number of held) {
        if (((this.#state.from[number]![place]! >>> index) & 1) === 1) continue;
        const { together } = this.#state.messages[number]!;
        if (votes + together > this.#bundles.most) send();
        parts.push(number);
        votes += together;
      }
      send();
    });
    held.length = 0;
    this.#links.pump(node);
  }
}
