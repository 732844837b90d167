import type { RingMark } from '../ring.ts';

/**
 * The rings of one set-up and their kind of ring signature, for one event. The keys of each ring are determined by the
 * list of members, which is trusted.
 */
export interface SetupRings {
  /** Total number of members in all rings. */
  readonly members: number;
  /** Lengths of signatures, per ring. */
  readonly signatureBytes: readonly number[];

  /** Returns the mark of a valid signature; undefined for an invalid one. */
  verify(ring: number, message: Uint8Array, signature: Uint8Array): RingMark | undefined;
  /** Returns the mark that a signature would have if it were valid; undefined for a malformed one. */
  claimed(ring: number, message: Uint8Array, signature: Uint8Array): RingMark | undefined;

  /**
   * Returns the relation of two marks. `shared` contains the tags that identify the signer; see `sharedTags` of
   * `@tutti/anonymous/ring`. For a double, `author` is the member's index in the registry if the scheme traces it.
   */
  relate(
    ring: number,
    a: RingMark,
    b: RingMark,
  ):
    | { readonly kind: 'independent' }
    | { readonly kind: 'repeated'; readonly shared: readonly Uint8Array[] }
    | { readonly kind: 'double'; readonly shared: readonly Uint8Array[]; readonly author: number | undefined };
}
