import type { Contribution } from '../protocol.ts';
import { nobody } from './nobody.ts';
import type { RegistrationScheme } from './scheme.ts';

export interface Waiting {
  readonly registration: Contribution;
  /** The member who relayed it, or `nobody`. */
  readonly from: number;
}

/**
 * Registrations that wait for verification. Those that a member relayed go first: an invalid one costs its relay every
 * further word, so there are as many of these as there are liars. Whoever sends from nowhere has nothing to lose; of
 * that there is a bounded number, and where there is no room a newcomer takes a place at random, so that no flood keeps
 * all others out for sure.
 */
export class Inbox {
  readonly #scheme: RegistrationScheme;
  readonly #mostAnonymous: number;
  readonly #random: (bound: number) => number;
  readonly #relayed = new Map<string, Waiting>();
  readonly #anonymous = new Map<string, Waiting>();

  constructor(scheme: RegistrationScheme, mostAnonymous: number, random: (bound: number) => number) {
    this.#scheme = scheme;
    this.#mostAnonymous = mostAnonymous;
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

  /** Takes a registration in, retained; false when another one from nobody known had to go for it. */
  put(name: string, registration: Contribution, from: number): boolean {
    this.#scheme.retain(registration);
    if (from !== nobody) {
      this.#relayed.set(name, { registration, from });
      this.#remove(name);
      return true;
    }
    const isFull = this.#anonymous.size >= this.#mostAnonymous;
    if (isFull) this.#remove([...this.#anonymous.keys()][this.#random(this.#anonymous.size)]!);
    this.#anonymous.set(name, { registration, from });
    return !isFull;
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

  #remove(name: string): void {
    const waiting = this.#anonymous.get(name);
    if (waiting === undefined) return;
    this.#anonymous.delete(name);
    this.#scheme.release(waiting.registration);
  }
}
