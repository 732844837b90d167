/** Checks contributions of one round against its public data; answers later. */
export interface ContributionVerifier {
  /**
   * @param first position of the set's bit 0.
   * @param bits bit b & 7 of byte b >> 3 is position `first + b`.
   * @param signature 96 bytes, compressed G2; a peer's word.
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean>;
}
