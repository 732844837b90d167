import type { AggregationScheme, HandelNode } from '@tutti/core';
import { firstSlot, levelInts, levelsAtOf, peersField, peersRecordAt, type Slab, slabOf } from '@tutti/core/packed';
import { type EventQueue, headBits } from '../engine/eventQueue.ts';

/**
 * From this many nodes on their states are more than a processor's cache holds. Below, prefetching costs more than it
 * saves.
 */
export const prefetchFrom = 4096;

/** How many events are prefetched together, and how many such batches before the first of them is taken. */
const batchEvents = 16;
const batchesAhead = 3;

const headMask = 2 ** headBits - 1;

/**
 * What an event's integers say of a message: whom it is for, on which level, whom it is from; level 0 for any other
 * event.
 */
export interface EventReader {
  receiver(head: number): number;
  level(head: number, b: number): number;
  sender(b: number): number;
}

/** A batch of events, a column for each thing that is known of them. */
class Batch {
  count = 0;
  readonly receivers = new Int32Array(batchEvents);
  /** The level of a message; 0 for any other event. */
  readonly levels = new Int32Array(batchEvents);
  readonly senders = new Int32Array(batchEvents);
  readonly aggregates = new Int32Array(batchEvents);
  /** Where the receiver's levels lie; -1 where there is none. */
  readonly addresses = new Int32Array(batchEvents);
}

/**
 * Reads what the next events will need, for many at once, so that the processor waits for memory once for all of them
 * instead of at each event. It takes three steps with each batch of events, each when the next batch comes, so that
 * none waits for what the one before has asked for: the nodes themselves; their levels; what they know of the senders.
 * Few instructions lie between the reads of a step, so that many are under way at once. It changes nothing.
 */
export class Prefetcher {
  readonly #queue: EventQueue;
  readonly #nodes: readonly (HandelNode | undefined)[];
  readonly #slab: Slab | undefined;
  readonly #levelCount: number;
  readonly #scheme: AggregationScheme;
  readonly #received: Int32Array;
  readonly #read: EventReader;
  /** The bucket of the queue that is being run, and the first of its events that was in no batch. */
  #bucket = -1;
  #next = 0;
  #newest = new Batch();
  #middle = new Batch();
  #oldest = new Batch();
  /** Of no meaning: a value that nobody kept would not be read at all. */
  #seen = 0;

  /**
   * @param nodes of one memory.
   * @param received a count of each node, which a message adds to.
   */
  constructor(
    queue: EventQueue,
    nodes: readonly (HandelNode | undefined)[],
    scheme: AggregationScheme,
    received: Int32Array,
    read: EventReader,
  ) {
    const some = nodes.find((node) => node !== undefined);
    this.#queue = queue;
    this.#nodes = nodes;
    this.#slab = some && slabOf(some);
    this.#levelCount = scheme.tree.levels;
    this.#scheme = scheme;
    this.#received = received;
    this.#read = read;
  }

  /**
   * To be called before each event is taken. Empty batches follow the last one of a bucket, so that all three steps are
   * taken with it. What the bucket gets while it is run is never prefetched.
   */
  beforeNext(): void {
    const queue = this.#queue;
    if (queue.bucket !== this.#bucket) {
      this.#bucket = queue.bucket;
      this.#next = 0;
    }
    const taken = queue.dueNext;
    const last = queue.dueCount + (batchesAhead - 1) * batchEvents;
    while (this.#next < taken + batchesAhead * batchEvents && this.#next < last) {
      this.#advance(Math.max(this.#next, taken));
    }
  }

  /** Takes the batch of the events from there on, and the next step with each batch before it. */
  #advance(start: number): void {
    const batch = this.#oldest;
    this.#oldest = this.#middle;
    this.#middle = this.#newest;
    this.#newest = batch;
    this.#next = start + batchEvents;
    this.#seen ^= this.#readEvents(batch, start) ^ this.#readNodes(batch);
    if (this.#slab === undefined) return;
    this.#seen ^= this.#readLevels(this.#middle, this.#slab.ints) ^ this.#readPeers(this.#oldest, this.#slab.ints);
  }

  #readEvents(batch: Batch, start: number): number {
    const { due, dueCount, ints } = this.#queue;
    const { receivers, levels, senders, aggregates } = batch;
    const read = this.#read;
    const end = Math.min(dueCount, start + batchEvents);
    batch.count = Math.max(0, end - start);
    for (let next = start; next < end; next++) {
      const at = due[next]!;
      const head = ints[at]! & headMask;
      const b = ints[at + 1]!;
      receivers[next - start] = read.receiver(head);
      levels[next - start] = read.level(head, b);
      senders[next - start] = read.sender(b);
      aggregates[next - start] = ints[at + 2]!;
    }
    // So that the next batch does not wait for memory.
    let seen = 0;
    const endOfNext = Math.min(dueCount, end + batchEvents);
    for (let next = end; next < endOfNext; next++) seen ^= ints[due[next]!]!;
    return seen;
  }

  #readNodes({ count, receivers, levels, aggregates, addresses }: Batch): number {
    const nodes = this.#nodes;
    const received = this.#received;
    let seen = 0;
    for (let event = 0; event < count; event++) seen ^= received[receivers[event]!]!;
    for (let event = 0; event < count; event++) {
      const node = nodes[receivers[event]!];
      addresses[event] = node === undefined ? -1 : levelsAtOf(node);
    }
    for (let event = 0; event < count; event++) if (levels[event]! > 0) seen ^= this.#scheme.weight(aggregates[event]!);
    return seen;
  }

  /** A node's line 0 and that of a message's level, or those of all levels. */
  #readLevels({ count, addresses, levels }: Batch, ints: Int32Array): number {
    let seen = 0;
    for (let event = 0; event < count; event++) {
      const address = addresses[event]!;
      if (address >= 0) seen ^= ints[address]! ^ ints[address + levels[event]! * levelInts]!;
    }
    for (let event = 0; event < count; event++) {
      const address = addresses[event]!;
      if (address < 0 || levels[event] !== 0) continue;
      // Two lines of a node lie in one of the processor's.
      for (let line = 2; line <= this.#levelCount; line += 2) seen ^= ints[address + line * levelInts]!;
    }
    return seen;
  }

  /** Where the slots of the messages' senders are likely to be. */
  #readPeers({ count, addresses, levels, senders }: Batch, ints: Int32Array): number {
    let seen = 0;
    for (let event = 0; event < count; event++) {
      if (levels[event] === 0 || addresses[event]! < 0) continue;
      const record = addresses[event]! + peersRecordAt;
      const mask = (1 << ints[record + peersField.sizeClass]!) - 1;
      seen ^= ints[ints[record + peersField.table]! + firstSlot(senders[event]!, mask)]!;
    }
    return seen;
  }
}
