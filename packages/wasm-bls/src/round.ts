/** What a contribution claims: that its signature is the sum of these signers' signatures on the round's message. */
export interface ContributionClaim<Signature = Uint8Array> {
  /** Registry index of the set's first bit: an integer of 0 or more, the caller's own. */
  readonly first: number;
  /** Bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b; anything from a peer. */
  readonly bits: Uint8Array;
  /**
   * 96 bytes, compressed G2, anything from a peer; or 192 bytes from decodeSignature or addSignatures; or, where it is
   * taken, a kept one.
   */
  readonly signature: Signature;
}

/**
 * One message and one registry, against which contributions are verified. A kept signature may be of any store of the
 * same Bls.
 */
export interface BlsRound<Signature = Uint8Array> {
  /**
   * Whether a signature is the sum of the claimed signers' signatures.
   *
   * @param first - registry index of the set's first bit: an integer of 0 or more, the caller's own.
   * @param bits - bit b, that is `bits[b >> 3]`'s bit `b & 7`, claims key first + b. An empty set, or one that claims a
   *   key beyond the registry, is `false`.
   * @param signature - 96 bytes, compressed G2, anything from a peer; or 192 bytes from decodeSignature or
   *   addSignatures, trusted to be in the subgroup. Infinity is `false`.
   * @throws RangeError if `first` is no such integer, or a kept signature is not live or not this library's; TypeError
   *   after free().
   */
  verify(first: number, bits: Uint8Array, signature: Signature): boolean;

  /**
   * Whether all of many claims hold, in one check of two pairings: each claim's equation is multiplied by a random
   * coefficient, and the sum of them all is checked (Bellare, Garay, Rabin: Fast Batch Verification for Modular
   * Exponentiation and Digital Signatures, EUROCRYPT 1998, small exponents test).
   *
   * Sound because every signature read from 96 bytes is checked, singly, to be in the group of prime order r: whatever
   * the other claims, at most one value modulo r of an invalid claim's coefficient makes the sum come out. So a batch
   * with an invalid claim is taken for valid with a probability of 2^-63 at most, also if its claims were made to
   * cancel each other; a valid one is refused with no greater probability (when the sum happens to be infinity).
   *
   * The coefficients are the round's own, drawn from the system's generator once all claims are there.
   *
   * @param claims - as verify takes them; the same one may come twice. None at all is `true`, one is verified by
   *   itself.
   * @returns `true` if verify is `true` of each; `false` if it is not of at least one, which roundVerdicts finds.
   * @throws RangeError if a `first` is no such integer; TypeError after free().
   */
  verifyBatch(claims: readonly ContributionClaim<Signature>[]): boolean;

  /**
   * Reads claims once, for any number of checks of some of them: sums each one's keys and decodes its signature, which
   * for a large registry is the costly part.
   *
   * @param claims - as verify takes them; their bytes may be reused once this has returned.
   * @returns claims that hold kernel memory until their free() is called, also after the round's.
   * @throws as verifyBatch.
   */
  readClaims(claims: readonly ContributionClaim<Signature>[]): ReadClaims;

  /** Gives the round's memory back; doing so twice is harmless. */
  free(): void;
}

/** Claims about one round that were read, and can be checked any number of times, in any runs. */
export interface ReadClaims {
  /**
   * The positions, ascending, of those that can be true at all. The others, of which verify is `false` without a
   * pairing (nobody or a key beyond the registry claimed, bytes that are no point, infinity), were left out.
   */
  readonly places: readonly number[];

  /**
   * Whether all claims of a run hold, in one check of two pairings, under coefficients drawn anew; soundness as of
   * verifyBatch.
   *
   * @param from - index into `places` of the first.
   * @param to - index after the last; at least one more than `from`.
   * @throws RangeError if there is no such run; TypeError after free().
   */
  hold(from: number, to: number): boolean;

  /** Gives the memory back; doing so twice is harmless. */
  free(): void;
}
