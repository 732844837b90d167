import type { AggregationScheme } from '../contribution/scheme.ts';
import { ComingCalls } from '../handel/comingCalls.ts';
import { type HandelNode, levelsAtOf, sharedStateOf } from '../handel/node.ts';
import type { SharedState } from '../handel/sharedState.ts';
import { batchEvents, type EventLook, type ShownEvents } from './eventQueue.ts';

/**
 * From this many nodes on their states are more than a processor's cache holds. Below, a glance costs more than it
 * saves.
 */
export const glanceFrom = 4096;

/**
 * What an event's integers say of a message: whom it is for, on which level, whom it is from; level 0 for any other
 * event.
 */
export interface EventReader {
  receiver(head: number): number;
  level(head: number, b: number): number;
  sender(b: number): number;
}

/**
 * Reads what the next events will need, for many at once, so that the processor waits for memory once for all of them
 * instead of at each event. It takes three steps with each batch of events, each when the next batch comes, so that
 * none waits for what the one before has asked for: the nodes themselves; their levels; what they know of the senders.
 * It changes nothing.
 */
export class Glance implements EventLook {
  readonly #nodes: readonly (HandelNode | undefined)[];
  readonly #state: SharedState | undefined;
  readonly #scheme: AggregationScheme;
  readonly #received: Int32Array;
  readonly #read: EventReader;
  readonly #receivers = new Int32Array(batchEvents);
  /** The calls of the last three batches. */
  #newest = new ComingCalls(batchEvents);
  #middle = new ComingCalls(batchEvents);
  #oldest = new ComingCalls(batchEvents);
  /** Of no meaning: a value that nobody kept would not be read at all. */
  #seen = 0;

  /**
   * @param nodes of one memory.
   * @param received a count of each node, which a message adds to.
   */
  constructor(
    nodes: readonly (HandelNode | undefined)[],
    scheme: AggregationScheme,
    received: Int32Array,
    read: EventReader,
  ) {
    const some = nodes.find((node) => node !== undefined);
    this.#nodes = nodes;
    this.#state = some && sharedStateOf(some);
    this.#scheme = scheme;
    this.#received = received;
    this.#read = read;
  }

  see(events: ShownEvents): void {
    const calls = this.#oldest;
    this.#oldest = this.#middle;
    this.#middle = this.#newest;
    this.#newest = calls;
    this.#find(events, calls);
    this.#state?.glance(this.#middle, this.#oldest);
  }

  #find({ count, heads, bs, cs }: ShownEvents, calls: ComingCalls): void {
    const { addresses, levels, senders } = calls;
    const nodes = this.#nodes;
    const received = this.#received;
    const read = this.#read;
    const receivers = this.#receivers;
    let seen = 0;
    calls.count = count;
    for (let call = 0; call < count; call++) {
      const head = heads[call]!;
      const b = bs[call]!;
      const receiver = read.receiver(head);
      receivers[call] = receiver;
      levels[call] = read.level(head, b);
      senders[call] = read.sender(b);
      seen ^= received[receiver]!;
    }
    for (let call = 0; call < count; call++) {
      const node = nodes[receivers[call]!];
      addresses[call] = node === undefined ? -1 : levelsAtOf(node);
    }
    for (let call = 0; call < count; call++) if (levels[call]! > 0) seen ^= this.#scheme.weight(cs[call]!);
    this.#seen ^= seen;
  }
}
