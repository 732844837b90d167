/**
 * Ciphersuite of the IETF BLS signature draft (draft-irtf-cfrg-bls-signature, section 4.2.3), minimal-pubkey-size:
 * keys in G1, signatures in G2, rogue keys excluded by a proof of possession.
 */
export const signatureDst = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/** Domain of PopProve and PopVerify: apart from signatureDst, so that no signature is ever a proof of possession. */
export const possessionDst = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/** Least input keying material of KeyGen (draft, section 2.3): 32 bytes, the 256 bits of the secret scalar. */
export const minIkmBytes = 32;

/** A scalar modulo the group order r, 255 bits, big-endian. */
export const secretKeyBytes = 32;

/** Compressed G1: one coordinate of 381 bits, its three free top bits used as flags. */
export const publicKeyBytes = 48;

/** Uncompressed G1: x and y, big-endian. */
export const publicKeyPointBytes = 96;

/** Compressed G2: one coordinate in Fp2, imaginary part first. */
export const signatureBytes = 96;

/** Uncompressed G2: x and y in Fp2, each imaginary part first. */
export const signaturePointBytes = 192;
