/** What a contribution claims: that the signature is the sum of the signatures of the set's members. */
export interface SignatureClaim {
  /** Position of the set's bit 0. */
  readonly first: number;
  /** Bit b & 7 of byte b >> 3 is position `first + b`. */
  readonly bits: Uint8Array;
  /** 96 bytes, compressed G2, as a peer sent them; or 192, a point whose subgroup was checked when it was decoded. */
  readonly signature: Uint8Array;
}

/** Verifies contributions of one round against its public data; answers later. */
export interface ContributionVerifier {
  /**
   * Whether each claim is valid, in their order. What a node asks for together comes in one call, most often one claim.
   */
  verifyBatch(claims: readonly SignatureClaim[]): Promise<boolean[]>;
}
