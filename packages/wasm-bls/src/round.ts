/** Claim of a contribution: its signature is the sum of these signers' signatures on the round's message. */
export interface ContributionClaim<Signature = Uint8Array> {
  /** Registry index of the set's first bit: an integer of 0 or more, from the caller. */
  readonly first: number;
  /** Claimed keys: bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b; untrusted peer input. */
  readonly bits: Uint8Array;
  /**
   * Signature: 96 bytes, compressed G2 (with `min-sig` 48, G1), untrusted peer input; or twice as many bytes from
   * decodeSignature or addSignatures; or, if the round accepts it, a stored one.
   */
  readonly signature: Signature;
}

/**
 * One message and one registry, for the verification of contributions. A stored signature may be from any store of the
 * same Bls.
 */
export interface BlsRound<Signature = Uint8Array> {
  /**
   * Returns whether a signature is the sum of the claimed signers' signatures.
   *
   * @param first - registry index of the set's first bit: an integer of 0 or more, from the caller.
   * @param bits - bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b. An empty set, or one that claims a
   * key beyond the registry, is `false`.
   * @param signature - 96 bytes, compressed G2 (with `min-sig` 48, G1), untrusted peer input; or twice as many bytes
   * from decodeSignature or addSignatures, trusted to be in the subgroup. Infinity is `false`.
   * @throws RangeError if `first` is not such an integer, or a stored signature is not live or not this library's;
   * TypeError after free().
   */
  verify(first: number, bits: Uint8Array, signature: Signature): boolean;

  /**
   * Returns whether all of several claims are valid, in one check of two pairings. Each claim's equation is multiplied
   * by a random coefficient, and the sum of the equations is checked (Bellare, Garay, Rabin: Fast Batch Verification
   * for Modular Exponentiation and Digital Signatures, EUROCRYPT 1998, small exponents test).
   *
   * Soundness: every signature read from its compressed form is checked, singly, to be in the group of prime order r.
   * Whatever the other claims are, at most one value modulo r of an invalid claim's coefficient makes the sum correct.
   * So a batch with an invalid claim passes with a probability of at most 2^-63, even if its claims were made to cancel
   * each other out. A valid batch is rejected with at most the same probability, if the sum happens to be infinity.
   *
   * The round draws the coefficients from the system's generator after it has all claims.
   *
   * @param claims - as for verify; the same one may occur twice. An empty list is `true`; a single claim is verified
   * alone.
   * @returns `true` if verify is `true` for each claim, or `false` if it is `false` for at least one, which
   * roundVerdicts finds.
   * @throws RangeError if a `first` is not such an integer; TypeError after free().
   */
  verifyBatch(claims: readonly ContributionClaim<Signature>[]): boolean;

  /**
   * Reads claims once, for any number of checks of some of them. It sums each claim's keys and decodes its signature,
   * which is the expensive part for a large registry.
   *
   * @param claims - as for verify; their bytes may be reused after the call.
   * @returns claims that use kernel memory until their free() is called, even after the round's.
   * @throws as verifyBatch.
   */
  readClaims(claims: readonly ContributionClaim<Signature>[]): ReadClaims;

  /** Releases the round's memory. A second call has no effect. */
  free(): void;
}

/** Claims of one round that were read. They can be checked any number of times, in any ranges. */
export interface ReadClaims {
  /**
   * Positions, ascending, of the claims that can be valid. Claims for which verify is `false` without a pairing were
   * omitted: those of no key or of a key beyond the registry, with bytes that are not a point, or with infinity.
   */
  readonly places: readonly number[];

  /**
   * Returns whether all claims of a range are valid, in one check of two pairings with newly drawn coefficients. The
   * soundness is that of verifyBatch.
   *
   * @param from - index into `places` of the first.
   * @param to - index after the last; at least one more than `from`.
   * @throws RangeError for an invalid range; TypeError after free().
   */
  hold(from: number, to: number): boolean;

  /** Releases the memory. A second call has no effect. */
  free(): void;
}
