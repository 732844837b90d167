/**
 * Ciphersuites of the IETF BLS signature draft (draft-irtf-cfrg-bls-signature, section 4.2.3), in which rogue keys are
 * excluded by proofs of possession.
 */

/**
 * Which group keys are in (draft, section 2.1): minimal-pubkey-size has keys in G1 and signatures in G2;
 * minimal-signature-size has keys in G2 and signatures in G1.
 */
export type Variant = 'min-pk' | 'min-sig';

/** What depends on the variant: the domains, and how long encodings are. */
export interface Suite {
  readonly variant: Variant;
  /** Domain of signatures, which is the ciphersuite's name. */
  readonly signatureDst: string;
  /** Domain of PopProve and PopVerify: another, so that no signature is ever a proof of possession. */
  readonly possessionDst: string;
  /** The group that keys are in, for errors; likewise of signatures. */
  readonly keyGroup: 'G1' | 'G2';
  readonly signatureGroup: 'G1' | 'G2';
  /** Compressed: one coordinate, its three free top bits used as flags. */
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  /** Uncompressed: x and y, big-endian; in G2 each imaginary part first. */
  readonly publicKeyPointBytes: number;
  readonly signaturePointBytes: number;
}

/** Compressed bytes of a point of each group. */
const pointBytes = { G1: 48, G2: 96 } as const;

function suite(variant: Variant, keyGroup: 'G1' | 'G2', signatureGroup: 'G1' | 'G2'): Suite {
  const name = `BLS12381${signatureGroup}_XMD:SHA-256_SSWU_RO_POP_`;
  return {
    variant,
    signatureDst: `BLS_SIG_${name}`,
    possessionDst: `BLS_POP_${name}`,
    keyGroup,
    signatureGroup,
    publicKeyBytes: pointBytes[keyGroup],
    signatureBytes: pointBytes[signatureGroup],
    publicKeyPointBytes: 2 * pointBytes[keyGroup],
    signaturePointBytes: 2 * pointBytes[signatureGroup],
  };
}

/** The suite of each variant. */
export const suites: Readonly<Record<Variant, Suite>> = {
  'min-pk': suite('min-pk', 'G1', 'G2'),
  'min-sig': suite('min-sig', 'G2', 'G1'),
};

/** Domain of signatures, and of proofs of possession, of min-pk. */
export const { signatureDst, possessionDst } = suites['min-pk'];

/** Least input keying material of KeyGen (draft, section 2.3): 32 bytes, the 256 bits of the secret scalar. */
export const minIkmBytes = 32;

/** A scalar modulo the group order r, 255 bits, big-endian. */
export const secretKeyBytes = 32;

/** Compressed G1: a public key of min-pk. */
export const publicKeyBytes = 48;

/** Uncompressed G1. */
export const publicKeyPointBytes = 96;

/** Compressed G2: a signature of min-pk. */
export const signatureBytes = 96;

/** Uncompressed G2. */
export const signaturePointBytes = 192;
