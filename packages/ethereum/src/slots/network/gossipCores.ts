import type { BatchCosts, ClientParameters } from '../../horn/network/client.ts';
import { type GossipMessage, type GossipState, Kind, Priority } from './gossipState.ts';

/** The cores of the simulated nodes. The cores verify messages in batches, by priority. */
export class GossipCores {
  readonly #state: GossipState;
  /** Verification parameters of each node. */
  readonly #clients: readonly ClientParameters[];
  readonly #costs: BatchCosts;
  readonly #load: Float64Array;
  readonly #slowdown: Float64Array | undefined;
  readonly #onVerified: (node: number, number: number) => void;
  /** Messages to verify by node and priority. */
  readonly #inbox: (number[] | undefined)[] = [];
  /** Index of the first waiting message in each inbox. */
  readonly #inNext: Int32Array;
  /** Number of further batches that each node could verify now. */
  readonly #idle: Uint16Array;
  /** Time at which each node next stops waiting for a full batch, µs; -1 if it does not wait. */
  readonly #dueUs: Float64Array;
  /** Maximum number of parallel batches of each node. */
  readonly #workers: Uint16Array;
  /** Number of cores per batch. */
  readonly #coresEach: Float64Array;
  readonly #batches: number[][] = [];
  readonly #freeBatches: number[] = [];

  /**
   * Creates the cores.
   *
   * @param onVerified called with each message that a node has verified.
   */
  constructor(state: GossipState, onVerified: (node: number, number: number) => void) {
    const { nodes, client, costs } = state.setting;
    const count = nodes.up.length;
    this.#state = state;
    this.#clients = nodes.clients ?? Array.from(nodes.up, () => client);
    this.#costs = costs;
    this.#load = nodes.load;
    this.#slowdown = nodes.slowdown;
    this.#onVerified = onVerified;
    this.#inNext = new Int32Array(3 * count);
    this.#workers = Uint16Array.from(this.#clients, ({ cores, atOnce }) => Math.min(cores, atOnce ?? cores));
    this.#coresEach = Float64Array.from(this.#clients, ({ cores }, node) => cores / this.#workers[node]!);
    this.#idle = this.#workers.slice();
    this.#dueUs = new Float64Array(count).fill(-1);
  }

  /** Occupies a node's cores with more urgent work until the work, begun at `fromUs`, is done. */
  burden(node: number, fromUs: number, coreUs: number): void {
    if (coreUs <= 0) return;
    this.#idle[node] = 0;
    const doneUs = Math.round(fromUs + coreUs / this.#clients[node]!.cores);
    for (let worker = 0; worker < this.#workers[node]!; worker++) {
      this.#state.queue.push(doneUs, Kind.idle, node, 0, 0);
    }
  }

  /** Returns the time that one core would take to verify a node's waiting messages in full batches, µs. */
  waitingCoreUs(node: number): number {
    const load = this.#load[node]!;
    const client = this.#clients[node]!;
    let us = 0;
    for (let priority = 0; priority < 3; priority++) {
      const box = this.#inbox[3 * node + priority] ?? [];
      for (let next = this.#inNext[3 * node + priority]!; next < box.length; next++) {
        const message = this.#state.messages[box[next]!]!;
        us += message.together * load * (this.#eachUs(client, message) + this.#batchUs(client, message) / client.batch);
      }
    }
    return us;
  }

  /** Returns the verification time of a message in addition to that of its batch, µs. */
  #eachUs(client: ClientParameters, { sets, keyUs, priority }: GossipMessage): number {
    return sets * (isSummed(client, priority) ? this.#costs.summedUs : this.#costs.setUs) + keyUs;
  }

  /**
   * Returns the verification time of a batch in addition to that of its messages, µs. If the messages are summed, the
   * sum is verified.
   */
  #batchUs(client: ClientParameters, { priority }: GossipMessage): number {
    return this.#costs.batchUs + (isSummed(client, priority) ? this.#costs.setUs : 0);
  }

  /** Handles a node's first copy of a message. */
  receive(node: number, number: number): void {
    const priority = this.#state.priority[number]!;
    const together = this.#state.together[number]!;
    const slot = 3 * node + priority;
    let box = this.#inbox[slot];
    if (box === undefined) {
      box = [];
      this.#inbox[slot] = box;
    }
    const { voteQueue, aggregateQueue, order } = this.#clients[node]!;
    const max = priority === Priority.vote ? voteQueue : aggregateQueue;
    if ((box.length - this.#inNext[slot]!) * together * this.#load[node]! >= max) {
      this.#state.costs.dropped += together;
      if (order === 'oldest-first') return;
      this.#inNext[slot]!++;
    }
    box.push(number);
    this.#verify(node);
  }

  /** Handles the end of a wait for a full batch. */
  due(node: number): void {
    if (this.#dueUs[node] === this.#state.queue.timeUs) this.#dueUs[node] = -1;
    this.#verify(node);
  }

  /** Records that the cores of one batch have become idle, and verifies waiting messages. */
  idle(node: number): void {
    this.#idle[node]!++;
    this.#verify(node);
  }

  /**
   * Handles a verified batch.
   *
   * @param idle 1 if the batch's cores become idle, 0 if they stay busy with messages outside the simulation.
   */
  verified(node: number, id: number, idle: number): void {
    const batch = this.#batches[id]!;
    this.#idle[node]! += idle;
    for (const number of batch) this.#onVerified(node, number);
    batch.length = 0;
    this.#freeBatches.push(id);
    this.#verify(node);
  }

  /** Assigns waiting messages to idle cores, the most urgent first. */
  #verify(node: number): void {
    for (let priority = 0; priority < 3 && this.#idle[node]! > 0; priority++) {
      const slot = 3 * node + priority;
      const box = this.#inbox[slot];
      if (box === undefined) continue;
      let next = this.#inNext[slot]!;
      while (next < box.length && this.#idle[node]! > 0 && this.#isReady(node, box, next)) {
        next = this.#takeBatch(node, box, next);
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

  /** Returns the maximum number of simulated messages in a batch. */
  #maxMessages(node: number): number {
    return this.#clients[node]!.batch / this.#load[node]!;
  }

  /**
   * Returns whether waiting messages fill a batch or have waited long enough. If not, the function schedules another
   * check.
   */
  #isReady(node: number, box: readonly number[], next: number): boolean {
    const { batchWaitMs } = this.#clients[node]!;
    if (batchWaitMs === 0) return true;
    const { queue, messages, topics, deliveredUs } = this.#state;
    const { together, topic } = messages[box[next]!]!;
    if ((box.length - next) * together >= this.#maxMessages(node)) return true;
    const place = topics[topic]!.placeOf[node]!;
    const readyUs = deliveredUs[box[next]!]![place]! + Math.round(1000 * batchWaitMs);
    if (readyUs <= queue.timeUs) return true;
    if (this.#dueUs[node] === -1 || this.#dueUs[node]! > readyUs) {
      this.#dueUs[node] = readyUs;
      queue.push(readyUs, Kind.due, node, 0, 0);
    }
    return false;
  }

  /**
   * Assigns a batch of waiting messages to a core.
   *
   * @returns the index of the first message that still waits.
   */
  #takeBatch(node: number, box: number[], first: number): number {
    const { messages, topics, hasCovers } = this.#state;
    const client = this.#clients[node]!;
    const { together } = messages[box[first]!]!;
    const batchUs = this.#batchUs(client, messages[box[first]!]!);
    const waiting = (box.length - first) * together;
    const take = Math.min(box.length - first, Math.max(1, Math.floor(this.#maxMessages(node) / together)));
    const id = this.#freeBatches.pop() ?? this.#batches.push([]) - 1;
    const taken = this.#batches[id]!;
    let next = first;
    let count = 0;
    let eachUs = 0;
    for (let index = 0; index < take; index++) {
      const number = client.order === 'newest-first' ? box.pop()! : box[next++]!;
      const message = messages[number]!;
      if (hasCovers && this.#state.isIgnored(number, topics[message.topic]!.placeOf[node]!)) continue;
      count += message.together;
      eachUs += message.together * this.#eachUs(client, message);
      taken.push(number);
    }
    if (count > 0) this.#occupy(node, id, count, { eachUs, batchUs }, waiting);
    else this.#freeBatches.push(id);
    return next;
  }

  /**
   * Assigns a batch to a core. If messages of topics outside the simulation share the node, the messages that arrived
   * while the batch waited are part of the batch, and the others are verified separately. The core is busy for the
   * total time of all these messages.
   *
   * @param times times of the messages without the batch, and of the batch without the messages, µs.
   * @param waiting number of waiting messages, including the messages of this batch.
   */
  #occupy(
    node: number,
    id: number,
    count: number,
    { eachUs, batchUs }: { readonly eachUs: number; readonly batchUs: number },
    waiting: number,
  ): void {
    const load = this.#load[node]!;
    const { batch } = this.#clients[node]!;
    if (load === 1) {
      const us = (eachUs + batchUs * Math.max(1, count / batch)) * (this.#slowdown?.[node] ?? 1);
      this.#state.costs.busyUs[node]! += us;
      this.#idle[node]!--;
      this.#state.queue.push(this.#after(node, us), Kind.verified, node, id, 1);
      return;
    }
    const inBatch = Math.min(Math.max(batch, count), (waiting - 1) * load + 1);
    const us = batchUs * Math.max(1, count / batch) + (eachUs * inBatch) / count;
    const busyUs = load * eachUs + (batchUs * load * count) / Math.min(batch, inBatch);
    this.#state.costs.busyUs[node]! += busyUs;
    this.#idle[node]!--;
    this.#state.queue.push(this.#after(node, us), Kind.verified, node, id, 0);
    this.#state.queue.push(this.#after(node, busyUs), Kind.idle, node, 0, 0);
  }

  /** Returns the time at which this much work ends if it begins now, µs. */
  #after(node: number, us: number): number {
    return this.#state.queue.timeUs + Math.max(1, Math.round(us / this.#coresEach[node]!));
  }
}

/** Returns whether messages are summed. The votes of a slot are assumed to be for the same data. */
function isSummed({ sumsEqual }: ClientParameters, priority: Priority): boolean {
  return sumsEqual === true && priority === Priority.vote;
}
