/** What links a ring's signatures, in whatever form the scheme has it. */
export type LinkMark = object;

/**
 * The rings of one set-up and its kind of ring signature, for one event. Who is trusted: the list of members, for whose
 * keys are in a ring.
 */
export interface SetupRings {
  /** Members of all rings together. */
  readonly members: number;
  /** By ring: how long its signatures are. */
  readonly signatureBytes: readonly number[];

  /** The mark of a signature that holds; undefined for any other. */
  verify(ring: number, message: Uint8Array, signature: Uint8Array): LinkMark | undefined;
  /** The mark that a signature has if it holds. */
  claimed(ring: number, message: Uint8Array, signature: Uint8Array): LinkMark | undefined;

  /**
   * @returns `shared`: bytes that name the signer by what the two have in common, see `sharedTags` of
   *   `@tutti/wasm-bls/ring`. Of a double, `author` is the member's place in the registry where the scheme traces it.
   */
  relate(
    ring: number,
    a: LinkMark,
    b: LinkMark,
  ):
    | { readonly kind: 'independent' }
    | { readonly kind: 'repeated'; readonly shared: readonly Uint8Array[] }
    | { readonly kind: 'double'; readonly shared: readonly Uint8Array[]; readonly author: number | undefined };
}
