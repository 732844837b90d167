import { type GossipMessage, type GossipState, Kind, maxTimeUs, type Topic } from './gossipState.ts';

/**
 * Columns of an edge: the neighbour's place, the latency to it in µs, and the member's index in the neighbour's list.
 */
const column = { to: 0, wayUs: 1, back: 2 } as const;
const columns = 3;

/** A topic's mesh, edge by edge, so that the data for forwarding is adjacent in memory. */
interface Edges {
  readonly members: Int32Array;
  /** Index of each member's first column in `edges`, followed by the length of `edges`. */
  readonly first: Int32Array;
  readonly edges: Int32Array;
}

/** Value for no sender: the message is the node's own, or from a node outside the topic. */
const noSender = -1;

/**
 * Plain gossip as in the post: links have no limits, and each node verifies one message after another in order of
 * arrival. A node forwards a verified message immediately to all of its neighbours except the sender.
 *
 * The general model of links and cores, with unlimited links, would take 2.5 times the CPU time for a slot of 2^20
 * validators, and 4 times message by message. The general model handles every copy, while this class handles only the
 * first copy at each node.
 */
export class PlainGossip {
  /** Number of copies sent. */
  copies = 0;
  readonly #state: GossipState;
  readonly #onVerified: (number: number, node: number) => void;
  readonly #edges: Edges[] = [];
  /** Verification time by message, µs. */
  readonly #costUs: number[] = [];
  /** Arrival time of the earliest copy sent so far, by message and place, µs; `maxTimeUs` if no copy was sent. */
  readonly #soonestUs: Int32Array[] = [];
  /** Jitter of the copies that are being sent, µs. */
  #jitterUs = new Int32Array(0);
  readonly #isBusy: Uint8Array;
  /** Waiting messages by node, each followed by the index of the neighbour that sent it. */
  readonly #lines: number[][];
  /** Index of each node's first waiting message. */
  readonly #next: Int32Array;

  /**
   * Creates the simulation.
   *
   * @param onVerified called with each message that a node has verified.
   */
  constructor(state: GossipState, onVerified: (number: number, node: number) => void) {
    const nodes = state.setting.nodes.up.length;
    this.#state = state;
    this.#onVerified = onVerified;
    this.#isBusy = new Uint8Array(nodes);
    this.#lines = Array.from({ length: nodes }, () => []);
    this.#next = new Int32Array(nodes);
  }

  /** Adds a topic. Topics must be added in the order of the run's topics. */
  addTopic({ peers, back, members }: Topic): void {
    const { network } = this.#state.setting;
    const first = new Int32Array(members.length + 1);
    peers.forEach((of, place) => {
      first[place + 1] = first[place]! + columns * of.length;
    });
    const edges = new Int32Array(first.at(-1)!);
    const max = peers.reduce((count, of) => Math.max(count, of.length), this.#jitterUs.length);
    this.#jitterUs = new Int32Array(max);
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

  /** Adds a message. Messages must be added in the order of the run's messages. */
  addMessage({ topic, together, sets, keyUs }: GossipMessage): void {
    const { batchUs, setUs } = this.#state.setting.costs;
    this.#costUs.push(together * (batchUs + sets * setUs + keyUs));
    this.#soonestUs.push(new Int32Array(this.#edges[topic]!.members.length).fill(maxTimeUs));
  }

  /** Publishes a message of a member. */
  publish(place: number, number: number): void {
    this.#soonestUs[number]![place] = this.#state.queue.timeUs;
    this.#passOn(place, number, noSender);
  }

  /** Sends a message from a node outside the topic to some members. */
  publishTo(places: readonly number[], node: number, number: number): void {
    const { queue, setting, topicOf } = this.#state;
    const { members } = this.#edges[topicOf[number]!]!;
    this.copies += places.length;
    for (const to of places) {
      const atUs = queue.timeUs + setting.network.oneWayUs(node, members[to]!);
      if (atUs < this.#soonestUs[number]![to]!) this.#send(this.#soonestUs[number]!, to, number, noSender, atUs);
    }
  }

  /**
   * Handles a copy that arrives.
   *
   * @param from index of the sender among the member's neighbours, or `noSender`.
   */
  arrive(place: number, number: number, from: number): void {
    const { queue, topicOf } = this.#state;
    // Another copy arrived earlier, although it was sent later.
    if (this.#soonestUs[number]![place] !== queue.timeUs) return;
    const node = this.#edges[topicOf[number]!]!.members[place]!;
    if (this.#isBusy[node] === 1) this.#lines[node]!.push(number, from);
    else this.#verify(node, place, number, from);
  }

  /** Handles a verified message. */
  verified(place: number, number: number, from: number): void {
    this.#passOn(place, number, from);
    this.idle(this.#edges[this.#state.topicOf[number]!]!.members[place]!);
  }

  /** Occupies a node with other work, which takes the given time from `fromUs`. The node counts as busy at once. */
  burden(node: number, fromUs: number, us: number): void {
    if (us <= 0) return;
    this.#isBusy[node] = 1;
    this.#state.queue.push(Math.round(fromUs + us), Kind.idle, node, 0, 0);
  }

  /** Handles the end of a node's current verification or other work. */
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

  /** Returns the time to verify the waiting messages, without the current verification, µs. */
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

  /**
   * Forwards a message. Only the copy that arrives at a neighbour before all others becomes an event, because the
   * others change nothing.
   */
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
    const copies = (end - begin) / columns - (from === noSender ? 0 : 1);
    this.copies += copies;
    setting.network.drawJitter(node, jitterUs, copies);
    const origin = from === noSender ? noSender : begin + columns * from;
    for (let edge = begin, copy = 0; edge < end; edge += columns) {
      if (edge === origin) continue;
      const to = edges[edge + column.to]!;
      const atUs = nowUs + edges[edge + column.wayUs]! + jitterUs[copy++]!;
      if (atUs < soonestUs[to]!) this.#send(soonestUs, to, number, edges[edge + column.back]!, atUs);
    }
  }

  /**
   * Sends a copy.
   *
   * @param soonestUs arrival times of the message's earliest copies, by place.
   */
  #send(soonestUs: Int32Array, to: number, number: number, from: number, atUs: number): void {
    soonestUs[to] = atUs;
    this.#state.queue.push(atUs, Kind.plainCopy, to, number, from);
  }
}
