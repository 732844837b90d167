import type { Contribution } from '@tutti/core';

/**
 * Relation of two different registrations of one set-up. `independent`: the registrations are by two authors.
 * `repeated`: the registrations are by one author, with the same content. `double`: the registrations are by one
 * author, with different content. With traceable ring signatures, `author` is a member's index in the registry,
 * otherwise undefined.
 *
 * `offender` identifies the author by the common part of the two, in the form of a registration's name. `offender` is
 * the same for all doubles by one author, and for all repeats of one content.
 */
export type RegistrationRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated'; readonly offender: string }
  | { readonly kind: 'double'; readonly offender: string; readonly author: number | undefined };

/**
 * Functions of the ring signatures that a set-up needs. A registration (v1.03 section 5.3: an address, an anonymous
 * key, and a ring signature over both) is represented by an integer handle into the scheme's store, like a
 * contribution. A list of names is represented by a handle too. The handles are reference-counted.
 */
export interface RegistrationScheme {
  /** Number of members of the public registry. Each member may register once. */
  readonly members: number;

  /**
   * Returns the name of a registration, which is derived from all bytes of the registration. Different registrations
   * have different names.
   */
  name(registration: Contribution): string;

  /** Returns the relation of two verified registrations. */
  relate(a: Contribution, b: Contribution): RegistrationRelation;

  /** Returns the relation that an unverified registration would have to a verified one, if it were valid. */
  relateClaim(claim: Contribution, verified: Contribution): RegistrationRelation;

  /** Returns a list of names that can be sent, retained once for the caller. */
  list(names: Iterable<string>): Contribution;

  /** Returns the names on a list. */
  names(list: Contribution): ReadonlySet<string>;

  retain(handle: Contribution): void;
  release(handle: Contribution): void;
}
