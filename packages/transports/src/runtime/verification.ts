/** Claim of a contribution: the signature is the sum of the signatures of the set's members. */
export interface SignatureClaim {
  /** Position of the set's bit 0. */
  readonly first: number;
  /** Signers: bit b & 7 of byte b >> 3 is position `first + b`. */
  readonly bits: Uint8Array;
  /**
   * Signature: 96 bytes, compressed G2 (`min-sig`: 48, G1), as a peer sent it; or twice as many bytes, a point that
   * passed the subgroup check when it was decoded.
   */
  readonly signature: Uint8Array;
}

/** Verifies contributions of one round with its public data, asynchronously. */
export interface ContributionVerifier {
  /**
   * Returns whether each claim is valid, in order. Claims that a node requests together arrive in one call; usually
   * there is a single claim.
   */
  verifyBatch(claims: readonly SignatureClaim[]): Promise<boolean[]>;
}
