import { requireFunction } from '@tutti/core/input';
import { BoundedQueue } from './bounded.ts';

const scheduled: (task: () => void) => void =
  typeof setImmediate === 'function' ? (task) => void setImmediate(task) : byMessage();

/**
 * Runs a task in a later turn of the event loop, in first-in-first-out order, without the delay of a timer. The
 * function uses `setImmediate` if available, and otherwise a message to itself, as browsers support.
 */
export function inLaterTurn(task: () => void): void {
  requireFunction('task', task);
  scheduled(task);
}

function byMessage(): (task: () => void) => void {
  const tasks: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  Object.assign(port1, { onmessage: () => tasks.shift()!() });
  return (task) => {
    tasks.push(task);
    port2.postMessage(undefined);
  };
}

/**
 * Bounded queue of packets that are delivered in the next turn of the event loop. Packets that a listener adds during
 * the delivery wait for a further turn, so a listener that answers its own packets does not block the event loop.
 */
export class TurnQueue<T> {
  readonly #waiting: BoundedQueue<T>;
  readonly #deliver: (packet: T) => void;
  #scheduled = false;
  /** Number of packets that the current turn still delivers. */
  #due = 0;

  /** @param bound maximum number of waiting packets. @param deliver delivers a packet. */
  constructor(bound: number, deliver: (packet: T) => void) {
    this.#waiting = new BoundedQueue(bound);
    this.#deliver = deliver;
  }

  /** Appends a packet. Returns true if the oldest waiting packet was dropped. */
  push(packet: T): boolean {
    const dropped = this.#waiting.push(packet);
    // The dropped packet is the next one that the current turn would have delivered.
    if (dropped && this.#due > 0) this.#due--;
    if (!this.#scheduled) {
      this.#scheduled = true;
      inLaterTurn(() => this.#drain());
    }
    return dropped;
  }

  clear(): void {
    this.#waiting.clear();
    this.#due = 0;
  }

  #drain(): void {
    this.#scheduled = false;
    this.#due = this.#waiting.length;
    while (this.#due > 0) {
      this.#due--;
      this.#deliver(this.#waiting.shift()!);
    }
  }
}
