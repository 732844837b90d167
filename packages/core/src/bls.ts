/** Length of a compressed public key of BLS12-381 in G1, bytes. */
export const blsPublicKeyBytes = 48;
/** Length of a compressed signature of BLS12-381 in G2, bytes. */
export const blsSignatureBytes = 96;

/**
 * Group of the BLS keys: G1 with 48-byte keys (`min-pk`) or G2 with 96-byte keys (`min-sig`). Signatures are in the
 * other group.
 */
export type BlsVariant = 'min-pk' | 'min-sig';

/** Length of a compressed key, and of a compressed signature or proof of possession, in bytes, for each variant. */
export const blsLengths: Readonly<Record<BlsVariant, { readonly publicKey: number; readonly signature: number }>> = {
  'min-pk': { publicKey: blsPublicKeyBytes, signature: blsSignatureBytes },
  'min-sig': { publicKey: 96, signature: 48 },
};
