/**
 * Ciphersuites of the IETF BLS signature draft (draft-irtf-cfrg-bls-signature, section 4.2.3) with proofs of possession
 * as the rogue-key defence.
 */

/**
 * Group of the keys (draft, section 2.1): minimal-pubkey-size has keys in G1 and signatures in G2;
 * minimal-signature-size has keys in G2 and signatures in G1.
 */
export type Variant = 'min-pk' | 'min-sig';

/** Properties of a variant: the domains, and the lengths of encodings. */
export interface Suite {
  readonly variant: Variant;
  /** Domain of signatures: the name of the ciphersuite. */
  readonly signatureDst: string;
  /**
   * Domain of PopProve and PopVerify. The domain of proofs differs from the domain of signatures, so that a signature
   * is never a valid proof of possession.
   */
  readonly possessionDst: string;
  /** Group of the signatures, for error messages and the names of ciphersuites. */
  readonly signatureGroup: 'G1' | 'G2';
  /** Length, in bytes, of a compressed key: one coordinate, whose three unused top bits are flags. */
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  /**
   * Length, in bytes, of an uncompressed key: x and y, big-endian; in G2, the imaginary part of each coordinate comes
   * first.
   */
  readonly publicKeyPointBytes: number;
  readonly signaturePointBytes: number;
}

/** Length of a compressed point of each group, bytes. */
const pointBytes = { G1: 48, G2: 96 } as const;

function suite(variant: Variant, keyGroup: 'G1' | 'G2', signatureGroup: 'G1' | 'G2'): Suite {
  const name = `BLS12381${signatureGroup}_XMD:SHA-256_SSWU_RO_POP_`;
  return {
    variant,
    signatureDst: `BLS_SIG_${name}`,
    possessionDst: `BLS_POP_${name}`,
    signatureGroup,
    publicKeyBytes: pointBytes[keyGroup],
    signatureBytes: pointBytes[signatureGroup],
    publicKeyPointBytes: 2 * pointBytes[keyGroup],
    signaturePointBytes: 2 * pointBytes[signatureGroup],
  };
}

/** The ciphersuite of each variant. */
export const suites: Readonly<Record<Variant, Suite>> = {
  'min-pk': suite('min-pk', 'G1', 'G2'),
  'min-sig': suite('min-sig', 'G2', 'G1'),
};

/** Domains and lengths of min-pk; lengths are in bytes. */
export const { signatureDst, possessionDst, publicKeyBytes, publicKeyPointBytes, signatureBytes } = suites['min-pk'];

/** Minimum length of KeyGen's input keying material (draft, section 2.3), bytes. */
export const minIkmBytes = 32;

/** Length, in bytes, of a secret key: a scalar modulo the group order r, 255 bits, big-endian. */
export const secretKeyBytes = 32;
