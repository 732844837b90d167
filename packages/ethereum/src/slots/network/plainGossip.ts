import { type GossipMessage, type GossipState, Kind, type Topic } from './gossipState.ts';

/** Of an edge: the neighbour's place, what the way to it takes, and under which number it has the member. */
const column = { to: 0, wayUs: 1, back: 2 } as const;
const columns = 3;

/** A topic's mesh, edge by edge: what a message is passed on by lies together. */
interface Edges {
  readonly members: Int32Array;
  /** By place: where a member's edges begin, and at last where all end. */
  readonly first: Int32Array;
  readonly edges: Int32Array;
}

/** After every time. */
const never = 2 ** 31 - 1;

/** Nobody has sent it: it is the node's own, or from somebody who is not on the topic. */
const nobody = -1;

/**
 * Plain gossip, as the post has it: links have no limits, and each node verifies one message after another in the order
 * in which they come. What it has verified it sends at once to all of its neighbours but the one that it came from.
 *
 * Links and cores with limits, set to have none, take 2.5 times the CPU time for a slot of 2^20 validators, and 4 times
 * message by message: they handle every copy, and this handles the first one for each node.
 */
export class PlainGossip {
  /** Copies sent. */
  copies = 0;
  readonly #state: GossipState;
  readonly #onVerified: (number: number, node: number) => void;
  readonly #edges: Edges[] = [];
  /** By message: for how long it keeps its verifier busy. */
  readonly #costUs: number[] = [];
  /** By message and place: when the first copy arrives of those that were sent so far. */
  readonly #soonestUs: Int32Array[] = [];
  /** Of the copies that are being sent. */
  #jitterUs = new Int32Array(0);
  readonly #isBusy: Uint8Array;
  /** By node: what waits to be verified, each message with the neighbour that sent it, and the first that waits. */
  readonly #lines: number[][];
  readonly #next: Int32Array;

  /** @param onVerified called with each message that a node has verified. */
  constructor(state: GossipState, onVerified: (number: number, node: number) => void) {
    const nodes = state.setting.nodes.up.length;
    this.#state = state;
    this.#onVerified = onVerified;
    this.#isBusy = new Uint8Array(nodes);
    this.#lines = Array.from({ length: nodes }, () => []);
    this.#next = new Int32Array(nodes);
  }

  /** Topics are added in the order of the run's. */
  addTopic({ peers, back, members }: Topic): void {
    const { network } = this.#state.setting;
    const first = new Int32Array(members.length + 1);
    peers.forEach((of, place) => {
      first[place + 1] = first[place]! + columns * of.length;
    });
    const edges = new Int32Array(first.at(-1)!);
    const most = peers.reduce((count, of) => Math.max(count, of.length), this.#jitterUs.length);
    this.#jitterUs = new Int32Array(most);
    peers.forEach((of, place) => {
      of.forEach((to, index) => {
        const edge = first[place]! + columns * index;
        edges[edge + column.to] = to;
        edges[edge + column.wayUs] = network.wayUs(members[place]!, members[to]!);
        edges[edge + column.back] = back[place]![index]!;
      });
    });
    this.#edges.push({ members, first, edges });
  }

  /** Messages are added in the order of the run's. */
  addMessage({ topic, together, sets, keyUs }: GossipMessage): void {
    const { batchUs, setUs } = this.#state.setting.costs;
    this.#costUs.push(together * (batchUs + sets * setUs + keyUs));
    this.#soonestUs.push(new Int32Array(this.#edges[topic]!.members.length).fill(never));
  }

  /** A member publishes a message. */
  publish(place: number, number: number): void {
    this.#soonestUs[number]![place] = this.#state.queue.timeUs;
    this.#passOn(place, number, nobody);
  }

  /** A node that is not on the topic sends a message to some members. */
  publishTo(places: readonly number[], node: number, number: number): void {
    const { queue, setting, topicOf } = this.#state;
    const { members } = this.#edges[topicOf[number]!]!;
    this.copies += places.length;
    for (const to of places) {
      const atUs = queue.timeUs + setting.network.oneWayUs(node, members[to]!);
      if (atUs < this.#soonestUs[number]![to]!) this.#send(this.#soonestUs[number]!, to, number, nobody, atUs);
    }
  }

  /** A copy arrives. */
  arrive(place: number, number: number, from: number): void {
    const { queue, topicOf } = this.#state;
    // Another was faster that was sent later.
    if (this.#soonestUs[number]![place] !== queue.timeUs) return;
    const node = this.#edges[topicOf[number]!]!.members[place]!;
    if (this.#isBusy[node] === 1) this.#lines[node]!.push(number, from);
    else this.#verify(node, place, number, from);
  }

  /** A message is verified. */
  verified(place: number, number: number, from: number): void {
    this.#passOn(place, number, from);
    this.idle(this.#edges[this.#state.topicOf[number]!]!.members[place]!);
  }

  /** Makes a node busy with something else from a time on. */
  burden(node: number, fromUs: number, us: number): void {
    if (us <= 0) return;
    this.#isBusy[node] = 1;
    this.#state.queue.push(Math.round(fromUs + us), Kind.idle, node, 0, 0);
  }

  /** A node has verified what it was busy with. */
  idle(node: number): void {
    this.#isBusy[node] = 0;
    const line = this.#lines[node]!;
    const next = this.#next[node]!;
    if (next === line.length) return;
    const number = line[next]!;
    this.#verify(node, this.#state.topics[this.#state.topicOf[number]!]!.placeOf[node]!, number, line[next + 1]!);
    if (next + 2 === line.length) {
      line.length = 0;
      this.#next[node] = 0;
    } else {
      this.#next[node] = next + 2;
    }
  }

  /** Microseconds that what waits to be verified would take. */
  waitingCoreUs(node: number): number {
    const line = this.#lines[node]!;
    let us = 0;
    for (let next = this.#next[node]!; next < line.length; next += 2) us += this.#costUs[line[next]!]!;
    return us;
  }

  #verify(node: number, place: number, number: number, from: number): void {
    const us = this.#costUs[number]!;
    const { costs, queue } = this.#state;
    costs.busyUs[node]! += us;
    this.#isBusy[node] = 1;
    queue.push(queue.timeUs + Math.max(1, Math.round(us)), Kind.plainVerified, place, number, from);
  }

  /** Of the copies for a neighbour only one that comes before all others is an event: the rest change nothing. */
  #passOn(place: number, number: number, from: number): void {
    const { queue, setting, topicOf, verifiedUs } = this.#state;
    const { members, first, edges } = this.#edges[topicOf[number]!]!;
    const node = members[place]!;
    const nowUs = queue.timeUs;
    verifiedUs[number]![place] = nowUs;
    this.#onVerified(number, node);
    const soonestUs = this.#soonestUs[number]!;
    const begin = first[place]!;
    const end = first[place + 1]!;
    const jitterUs = this.#jitterUs;
    const copies = (end - begin) / columns - (from === nobody ? 0 : 1);
    this.copies += copies;
    setting.network.drawJitter(node, jitterUs, copies);
    const origin = from === nobody ? nobody : begin + columns * from;
    for (let edge = begin, copy = 0; edge < end; edge += columns) {
      if (edge === origin) continue;
      const to = edges[edge + column.to]!;
      const atUs = nowUs + edges[edge + column.wayUs]! + jitterUs[copy++]!;
      if (atUs < soonestUs[to]!) this.#send(soonestUs, to, number, edges[edge + column.back]!, atUs);
    }
  }

  /** @param soonestUs of the message. */
  #send(soonestUs: Int32Array, to: number, number: number, from: number, atUs: number): void {
    soonestUs[to] = atUs;
    this.#state.queue.push(atUs, Kind.plainCopy, to, number, from);
  }
}
