/** Claim of a contribution: its signature is the sum of these signers' signatures on the round's message. */
export interface ContributionClaim<Signature = Uint8Array> {
  /** Registry index of the set's first bit: an integer of 0 or more, from the caller. */
  readonly first: number;
  /** Claimed keys: bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b; anything from a peer. */
  readonly bits: Uint8Array;
  /**
   * Signature: 96 bytes, compressed G2, anything from a peer; or 192 bytes from decodeSignature or addSignatures; or,
   * if the round takes it, a stored one.
   */
  readonly signature: Signature;
}

/**
 * One message and one registry, with which contributions are verified. A stored signature may be of any store of the
 * same Bls.
 */
export interface BlsRound<Signature = Uint8Array> {
  /**
   * Returns whether a signature is the sum of the claimed signers' signatures.
   *
   * @param first - registry index of the set's first bit: an integer of 0 or more, from the caller.
   * @param bits - bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b. An empty set, or one that claims a
   * key beyond the registry, is `false`.
   * @param signature - 96 bytes, compressed G2, anything from a peer; or 192 bytes from decodeSignature or
   * addSignatures, trusted to be in the subgroup. Infinity is `false`.
   * @throws RangeError if `first` is no such integer, or a stored signature is not live or not this library's;
   * TypeError after free().
   */
  verify(first: number, bits: Uint8Array, signature: Signature): boolean;

  /**
   * Returns whether all of several claims hold, in one check of two pairings. Each claim's equation is multiplied by a
   * random coefficient, and the sum of the equations is checked (Bellare, Garay, Rabin: Fast Batch Verification for
   * Modular Exponentiation and Digital Signatures, EUROCRYPT 1998, small exponents test).
   *
   * Soundness: every signature read from 96 bytes is checked, singly, to be in the group of prime order r. Whatever the
   * other claims are, at most one value modulo r of an invalid claim's coefficient makes the sum correct. So a batch
   * with an invalid claim passes with a probability of at most 2^-63, even if its claims were made to cancel each
   * other. A valid batch is rejected with at most the same probability, if the sum happens to be infinity.
   *
   * The round draws the coefficients from the system's generator after it has all claims.
   *
   * @param claims - as verify takes them; the same one may occur twice. An empty list is `true`; a single claim is
   * verified alone.
   * @returns `true` if verify is `true` of each; `false` if it is not of at least one, which roundVerdicts finds.
   * @throws RangeError if a `first` is no such integer; TypeError after free().
   */
  verifyBatch(claims: readonly ContributionClaim<Signature>[]): boolean;

  /**
   * Reads claims once, for any number of checks of some of them. It sums each claim's keys and decodes its signature,
   * which is the expensive part for a large registry.
   *
   * @param claims - as verify takes them; their bytes may be reused after the call.
   * @returns claims that hold kernel memory until their free() is called, even after the round's.
   * @throws as verifyBatch.
   */
  readClaims(claims: readonly ContributionClaim<Signature>[]): ReadClaims;

  /** Releases the round's memory. A second call has no effect. */
  free(): void;
}

/** Claims of one round that were read. They can be checked any number of times, in any ranges. */
export interface ReadClaims {
  /**
   * Positions, ascending, of the claims that can be valid. The others were left out, since verify is `false` for them
   * without a pairing: a claim of no key or of a key beyond the registry, bytes that are no point, or infinity.
   */
  readonly places: readonly number[];

  /**
   * Returns whether all claims of a range hold, in one check of two pairings with newly drawn coefficients. The
   * soundness is that of verifyBatch.
   *
   * @param from - index into `places` of the first.
   * @param to - index after the last; at least one more than `from`.
   * @throws RangeError if there is no such range; TypeError after free().
   */
  hold(from: number, to: number): boolean;

  /** Releases the memory. A second call has no effect. */
  free(): void;
}
