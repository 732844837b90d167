import type { AggregationScheme } from '../contribution/scheme.ts';
import type { HandelNode } from '../handel/node.ts';
import type { EventLook } from './eventQueue.ts';

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
 * Reads what the next events will need, for several at once, so that the processor waits for memory once for all of
 * them instead of at each event. It changes nothing.
 */
export class Glance implements EventLook {
  readonly #nodes: readonly (HandelNode | undefined)[];
  readonly #scheme: AggregationScheme;
  readonly #received: Int32Array;
  readonly #read: EventReader;
  /** Of no meaning: a value that nobody kept would not be read at all. */
  #seen = 0;

  /** @param received a count of each node, which a message adds to. */
  constructor(
    nodes: readonly (HandelNode | undefined)[],
    scheme: AggregationScheme,
    received: Int32Array,
    read: EventReader,
  ) {
    this.#nodes = nodes;
    this.#scheme = scheme;
    this.#received = received;
    this.#read = read;
  }

  first(head: number, b: number, c: number): void {
    const id = this.#read.receiver(head);
    const level = this.#read.level(head, b);
    this.#nodes[id]?.glance(level);
    if (level > 0) this.#seen ^= this.#received[id]! ^ this.#scheme.weight(c);
  }

  second(head: number, b: number): void {
    if (this.#read.level(head, b) > 0) this.#nodes[this.#read.receiver(head)]?.glanceAtPeer(this.#read.sender(b));
  }
}
