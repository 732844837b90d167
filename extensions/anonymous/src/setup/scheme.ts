import type { Contribution } from '@tutti/core';

/**
 * How two different registrations of one set-up go together. `independent`: of two authors. `repeated`: of one author,
 * with the same content. `double`: of one author, with different content; with traceable ring signatures `author` is a
 * member's place in the registry, else undefined.
 *
 * `offender` names the author by what the two have in common, in the form of a registration's name. All doubles of one
 * author have the same one, and all repeats of one content.
 */
export type RegistrationRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated'; readonly offender: string }
  | { readonly kind: 'double'; readonly offender: string; readonly author: number | undefined };

/**
 * What a set-up asks of whoever knows the ring signatures. A registration (v1.03 section 5.3: an address, an anonymous
 * key, and a ring signature of both) is an integer handle into the scheme's store, as a contribution is, and so is a
 * list of names. Handles are counted.
 */
export interface RegistrationScheme {
  /** Members of the public registry: each may register once. */
  readonly members: number;

  /** Names a registration by all of its bytes: different registrations have different names. */
  name(registration: Contribution): string;

  /** How two go together, both of them verified. */
  relate(a: Contribution, b: Contribution): RegistrationRelation;

  /** How a registration that is not verified goes together with one that is, if it holds. */
  relateClaim(claim: Contribution, verified: Contribution): RegistrationRelation;

  /** Names as something that can be sent; retained once for the caller. */
  list(names: Iterable<string>): Contribution;

  /** The names on a list. */
  names(list: Contribution): ReadonlySet<string>;

  retain(handle: Contribution): void;
  release(handle: Contribution): void;
}
