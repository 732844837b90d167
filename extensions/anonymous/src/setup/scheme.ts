import type { Contribution } from '@tutti/core';

/**
 * Relation of two different registrations of one set-up. `independent`: by two authors. `repeated`: by one author, with
 * the same content. `double`: by one author, with different content. With traceable ring signatures, `author` is a
 * member's index in the registry, otherwise undefined.
 *
 * `offender` identifies the author by the common part of the two, in the form of a registration's name. It is the same
 * for all doubles of one author, and for all repeats of one content.
 */
export type RegistrationRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated'; readonly offender: string }
  | { readonly kind: 'double'; readonly offender: string; readonly author: number | undefined };

/**
 * Functions of the ring signatures that a set-up needs. A registration (v1.03 section 5.3: an address, an anonymous
 * key, and a ring signature over both) is an integer handle into the scheme's store, like a contribution. A list of
 * names is a handle too. Handles are reference-counted.
 */
export interface RegistrationScheme {
  /** Number of members of the public registry. Each may register once. */
  readonly members: number;

  /**
   * Returns the name of a registration, derived from all of its bytes. Different registrations have different names.
   */
  name(registration: Contribution): string;

  /** Returns the relation of two verified registrations. */
  relate(a: Contribution, b: Contribution): RegistrationRelation;

  /** Returns the relation of an unverified registration to a verified one, if it is valid. */
  relateClaim(claim: Contribution, verified: Contribution): RegistrationRelation;

  /** Returns names in a form that can be sent, retained once for the caller. */
  list(names: Iterable<string>): Contribution;

  /** Returns the names on a list. */
  names(list: Contribution): ReadonlySet<string>;

  retain(handle: Contribution): void;
  release(handle: Contribution): void;
}
