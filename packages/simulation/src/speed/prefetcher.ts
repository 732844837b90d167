import type { AggregationScheme, HandelNode } from '@tutti/core';
import { firstSlot, levelInts, peersField, peersRecordAt, type Slab } from '@tutti/core/packed';
import { type EventQueue, headBits } from '../engine/eventQueue.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

/**
 * Minimum number of nodes from which prefetching is used. From this number on, the nodes' states exceed a processor's
 * cache; below it, prefetching costs more than it saves.
 */
export const prefetchFrom = 4096;

/** Number of events per prefetched batch. */
const batchEvents = 16;
/** Number of batches that are prefetched before the first of them is processed. */
const batchesAhead = 3;

const headMask = 2 ** headBits - 1;

/** Reader of a message event's integers: the receiver, the level and the sender; the level is 0 for any other event. */
export interface EventReader {
  receiver(head: number): number;
  level(head: number, b: number): number;
  sender(b: number): number;
}

/** A batch of events, with one column per property. */
class Batch {
  count = 0;
  readonly receivers = new Int32Array(batchEvents);
  /** Level of a message; 0 for any other event. */
  readonly levels = new Int32Array(batchEvents);
  readonly senders = new Int32Array(batchEvents);
  readonly aggregates = new Int32Array(batchEvents);
  /** Address of the receiver's levels; -1 if the receiver has none. */
  readonly addresses = new Int32Array(batchEvents);
}

/** Parts of a run whose memory a prefetcher reads. */
interface PrefetcherOptions {
  readonly queue: EventQueue;
  /** Nodes of one memory. */
  readonly nodes: readonly (HandelNode | undefined)[];
  /** Slab of that memory; undefined if there are no nodes. */
  readonly slab: Slab | undefined;
  readonly scheme: AggregationScheme;
  /** Counter per node that a message increments. */
  readonly received: Int32Array;
  readonly read: EventReader;
}

/**
 * Reads the memory that the next events will need, for many events at a time. The processor then waits for memory once
 * per batch instead of once per event. Each batch of events goes through three steps, one each time the next batch
 * arrives, so that no step waits for the data of the previous step: the nodes; the nodes' levels; the nodes' data about
 * the senders. Few instructions separate the reads of a step, so many reads overlap. The reads change nothing.
 */
export class Prefetcher {
  readonly #queue: EventQueue;
  readonly #nodes: readonly (HandelNode | undefined)[];
  readonly #slab: Slab | undefined;
  readonly #levelCount: number;
  readonly #scheme: AggregationScheme;
  readonly #received: Int32Array;
  readonly #read: EventReader;
  /** Current bucket of the queue, and the first event in the bucket that does not belong to a batch yet. */
  #bucket = -1;
  #next = 0;
  #newest = new Batch();
  #middle = new Batch();
  #oldest = new Batch();
  /**
   * Combination of all values read, which has no meaning. Without this combination, the engine would skip reads of
   * unused values.
   */
  #seen = 0;

  constructor({ queue, nodes, slab, scheme, received, read }: PrefetcherOptions) {
    this.#queue = queue;
    this.#nodes = nodes;
    this.#slab = slab;
    this.#levelCount = scheme.tree.levels;
    this.#scheme = scheme;
    this.#received = received;
    this.#read = read;
  }

  /**
   * Prefetches memory for upcoming events; called before each event is taken. Empty batches follow the last batch of a
   * bucket, so that the last batch goes through all three steps. Events that are added to the current bucket are never
   * prefetched.
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

  /** Forms a batch of the events from `start` on, and performs the next step for each earlier batch. */
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
    // `seen` is a local variable, so that the next batch does not wait for memory.
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
      addresses[event] = node === undefined ? -1 : node.levelsAt;
    }
    for (let event = 0; event < count; event++) if (levels[event]! > 0) seen ^= this.#scheme.weight(aggregates[event]!);
    return seen;
  }

  /** Reads line 0 of a node and the line of a message's level, or the lines of all levels. */
  #readLevels({ count, addresses, levels }: Batch, ints: Int32Array): number {
    let seen = 0;
    for (let event = 0; event < count; event++) {
      const address = addresses[event]!;
      if (address >= 0) seen ^= ints[address]! ^ ints[address + levels[event]! * levelInts]!;
    }
    for (let event = 0; event < count; event++) {
      const address = addresses[event]!;
      if (address < 0 || levels[event] !== 0) continue;
      // One cache line contains two lines of a node.
      for (let line = 2; line <= this.#levelCount; line += 2) seen ^= ints[address + line * levelInts]!;
    }
    return seen;
  }

  /** Reads the slots that are likely to contain the messages' senders. */
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

/** Methods of a run that a warm-up needs. */
interface Run {
  advance(events: number): boolean;
  result(): unknown;
}

/**
 * Minimum total number of nodes in all runs, including the next one, for which a warm-up saves more time than it takes.
 */
const worthFrom = 1024;
const nodesOfSmallRun = 64;

/**
 * Simulates a small run to completion before a process simulates its 1024th node, and keeps the run in memory. The
 * warm-up has two effects on speed and none on results:
 *
 * - In the start phase, an engine compiles code that is specialised for that phase, and discards it later. After a
 *   complete run, the engine compiles less code.
 * - An engine discards code compiled for a shape of objects if a garbage collection finds no objects of that shape, as
 *   happens between two runs. The run kept in memory has objects of every shape.
 *
 * See docs/guides/simulate.md.
 */
export class WarmUp {
  #nodesSoFar = 0;
  #kept: Run | undefined;

  /** Warms up before a run if the warm-up saves time. @param nodes number of nodes in the run that follows. */
  before(nodes: number, create: (scenario: Scenario) => Run): void {
    if (this.#kept !== undefined) return;
    this.#nodesSoFar += nodes;
    if (this.#nodesSoFar < worthFrom) return;
    this.#kept = create({ ...defaultScenario, nodes: nodesOfSmallRun });
    while (this.#kept.advance(1 << 16));
    this.#kept.result();
  }
}
