import type { Contribution } from '@tutti/core';
import { nobody } from './nobody.ts';
import type { RegistrationScheme } from './scheme.ts';

export interface Waiting {
  readonly registration: Contribution;
  /** The member who relayed it, or `nobody`. */
  readonly from: number;
}

/** How many registrations may wait. */
export interface InboxBounds {
  /** Of all that came from nobody known. */
  readonly anonymous: number;
  /** Of those that one member relayed. */
  readonly relayed: number;
}

/**
 * Registrations that wait for verification, a bounded number. Those that a member relayed go first: a member who relays
 * an invalid one is not heard again, so there are as many of these as there are liars. Senders from nowhere have
 * nothing to lose. Where there is no room for another of theirs, it takes a place at random, and no flood keeps all
 * others out for sure.
 */
export class Inbox {
  readonly #scheme: RegistrationScheme;
  readonly #bounds: InboxBounds;
  readonly #random: (bound: number) => number;
  readonly #relayed = new Map<string, Waiting>();
  readonly #anonymous = new Map<string, Waiting>();

  constructor(scheme: RegistrationScheme, bounds: InboxBounds, random: (bound: number) => number) {
    this.#scheme = scheme;
    this.#bounds = bounds;
    this.#random = random;
  }

  get isEmpty(): boolean {
    return this.#relayed.size + this.#anonymous.size === 0;
  }

  /** Names of those that a member relayed. */
  get relayed(): Iterable<string> {
    return this.#relayed.keys();
  }

  /** Whether it waits already, in no worse a place than one from there would get. */
  has(name: string, from: number): boolean {
    return this.#relayed.has(name) || (from === nobody && this.#anonymous.has(name));
  }

  /** Takes a registration in, retained; false when it, or another one from nobody known, had to go. */
  put(name: string, registration: Contribution, from: number): boolean {
    if (from !== nobody && this.#of(from).length >= this.#bounds.relayed) return false;
    this.#scheme.retain(registration);
    if (from !== nobody) {
      this.#relayed.set(name, { registration, from });
      this.#remove(this.#anonymous, name);
      return true;
    }
    const isFull = this.#anonymous.size >= this.#bounds.anonymous;
    if (isFull) this.#remove(this.#anonymous, [...this.#anonymous.keys()][this.#random(this.#anonymous.size)]!);
    this.#anonymous.set(name, { registration, from });
    return !isFull;
  }

  /** Drops what a member relayed; whatever of it is valid, the others still have. */
  forget(from: number): void {
    for (const name of this.#of(from)) this.#remove(this.#relayed, name);
  }

  /** The next one to verify, the oldest of its kind; the caller releases it. */
  take(): Waiting | undefined {
    for (const queue of [this.#relayed, this.#anonymous]) {
      for (const [name, waiting] of queue) {
        queue.delete(name);
        return waiting;
      }
    }
    return undefined;
  }

  /** Names of what a member relayed. */
  #of(from: number): string[] {
    return [...this.#relayed].flatMap(([name, waiting]) => (waiting.from === from ? [name] : []));
  }

  #remove(queue: Map<string, Waiting>, name: string): void {
    const waiting = queue.get(name);
    if (waiting === undefined) return;
    queue.delete(name);
    this.#scheme.release(waiting.registration);
  }
}
