import type { Contribution } from '@tutti/core';
import { HandleStore } from './handleStore.ts';
import type { RegistrationRelation, RegistrationScheme } from './scheme.ts';

/** A registration whose author is known. */
export interface PlainRegistration {
  readonly author: number;
  /** Content of the registration, such as the number of a key. */
  readonly text: number;
  /** Number that distinguishes two registrations with equal content. Default 0. */
  readonly copy?: number;
  /** Whether verification accepts the registration. Default true. */
  readonly valid?: boolean;
}

type Stored = { readonly registration: PlainRegistration } | { readonly names: ReadonlySet<string> };

/**
 * Registrations without cryptography, for simulations. Each registration contains its author, which the protocol does
 * not read.
 */
export class PlainRegistrations implements RegistrationScheme {
  readonly members: number;
  readonly #isTraced: boolean;
  readonly #stored = new HandleStore<Stored>();

  /** @param isTraced whether a double registration reveals its author. */
  constructor(members: number, isTraced: boolean) {
    this.members = members;
    this.#isTraced = isTraced;
  }

  /** Number of registrations and lists in the store. */
  get held(): number {
    return this.#stored.size;
  }

  /** Returns a registration, retained once for the caller. */
  registration(registration: PlainRegistration): Contribution {
    return this.#stored.add({ registration });
  }

  isValid(registration: Contribution): boolean {
    return this.#plain(registration).valid !== false;
  }

  name(registration: Contribution): string {
    const { author, text, copy = 0, valid = true } = this.#plain(registration);
    return `${text}/${author}/${copy}/${valid}`;
  }

  relate(a: Contribution, b: Contribution): RegistrationRelation {
    const [one, other] = [this.#plain(a), this.#plain(b)];
    if (one.author !== other.author) return { kind: 'independent' };
    const { author, text } = one;
    if (text !== other.text)
      return { kind: 'double', offender: `excluded ${author}`, author: this.#isTraced ? author : undefined };
    return { kind: 'repeated', offender: this.#isTraced ? `excluded ${author} ${text}` : `excluded ${author}` };
  }

  relateClaim(claim: Contribution, verified: Contribution): RegistrationRelation {
    return this.relate(claim, verified);
  }

  list(names: Iterable<string>): Contribution {
    return this.#stored.add({ names: new Set(names) });
  }

  names(list: Contribution): ReadonlySet<string> {
    const value = this.#stored.get(list);
    if ('names' in value) return value.names;
    throw new RangeError(`handle ${list}: expected a list, got a registration`);
  }

  retain(handle: Contribution): void {
    this.#stored.retain(handle);
  }

  release(handle: Contribution): void {
    this.#stored.release(handle);
  }

  #plain(handle: Contribution): PlainRegistration {
    const value = this.#stored.get(handle);
    if ('registration' in value) return value.registration;
    throw new RangeError(`handle ${handle}: expected a registration, got a list`);
  }
}
