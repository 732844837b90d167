import type { Contribution } from '@tutti/core';
import type { RegistrationScheme } from './scheme.ts';

/** Sender of a message that arrived anonymously. */
export const nobody = -1;

/** A registration that waits for verification. */
export interface Waiting {
  readonly registration: Contribution;
  /** Member that relayed the registration; {@link nobody} if the sender is unknown. */
  readonly from: number;
}

/** Maximum numbers of registrations that wait in the inbox. */
interface InboxBounds {
  /** Maximum number of waiting registrations from all unknown senders together. */
  readonly anonymous: number;
  /** Maximum number of waiting registrations relayed by one member. */
  readonly relayed: number;
}

/**
 * Bounded queue of registrations that wait for verification. Relayed registrations are verified first: a member that
 * relays an invalid registration is banned, so there is at most one invalid registration per Byzantine member. Unknown
 * senders cannot be banned. If the inbox has no space for a further registration from an unknown sender, the new
 * registration replaces a random one from an unknown sender, so that a flood cannot exclude all others with certainty.
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

  /** Names of all relayed registrations that wait. */
  get relayed(): Iterable<string> {
    return this.#relayed.keys();
  }

  /** Returns whether the registration waits already, with at least the priority that this sender would give it. */
  has(name: string, from: number): boolean {
    return this.#relayed.has(name) || (from === nobody && this.#anonymous.has(name));
  }

  /**
   * Adds a registration and retains it. @returns false if either this registration or a waiting registration was
   * dropped.
   */
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

  /**
   * Drops all waiting registrations that one member relayed. The other members still have the valid registrations among
   * them.
   */
  forget(from: number): void {
    for (const name of this.#of(from)) this.#remove(this.#relayed, name);
  }

  /**
   * Removes and returns the next registration to verify, which is the oldest of its kind; undefined if the inbox is
   * empty. The caller has to release the registration.
   */
  take(): Waiting | undefined {
    for (const queue of [this.#relayed, this.#anonymous]) {
      for (const [name, waiting] of queue) {
        queue.delete(name);
        return waiting;
      }
    }
    return undefined;
  }

  /** Returns the names of the waiting registrations that one member relayed. */
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
