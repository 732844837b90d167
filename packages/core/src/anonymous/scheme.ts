import type { Contribution } from '../protocol.ts';

/**
 * How two registrations of one set-up go together. `repeated`: of one author, who says the same twice. `double`: of one
 * author, who says two things; with traceable ring signatures `author` is a member's place in the registry, else
 * undefined.
 */
export type RegistrationRelation =
  | { readonly kind: 'independent' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'double'; readonly author: number | undefined };

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

  /**
   * Whether a registration claims an author that `verified` is of, without being verified: if it holds at all, then the
   * two are of one author.
   */
  claimsAuthorOf(claim: Contribution, verified: Contribution): boolean;

  /** Names as something that can be sent; retained once for the caller. */
  list(names: Iterable<string>): Contribution;

  /** The names on a list. */
  names(list: Contribution): ReadonlySet<string>;

  retain(handle: Contribution): void;
  release(handle: Contribution): void;
}
