import { bls12_381 } from '@noble/curves/bls12-381.js';
import { ownBytes, requireBytes, requireLength, requireList } from '../arguments.ts';
import { G1, G2 } from '../noblePoints.ts';
import { publicKeyBytes, secretKeyBytes, signatureDst } from '../suite.ts';

/**
 * The mistake that identity keys of their own avoid: a link tag made with the BLS key itself. Here so that it can be
 * seen to fail, and used for nothing else; docs/ring-signatures.md explains it.
 */

const baseDomain = 'TUTTI_MISTAKE_BLS_TAG_BASE_BLS12381G1_XMD:SHA-256_SSWU_RO_';

const baseOf = (event: Uint8Array) =>
  G1.fromAffine(bls12_381.G1.hashToCurve(ownBytes(event), { DST: baseDomain }).toAffine());

/**
 * The tag x B of a BLS secret key x, with B in G1 hashed from the event: linkable, and looking like anybody's.
 *
 * @param secretKey 32 bytes, big-endian.
 * @returns 48 bytes, compressed G1.
 * @throws RangeError for a secret key of another length.
 */
export function blsLinkTag(secretKey: Uint8Array, event: Uint8Array): Uint8Array {
  requireLength('secretKey', secretKey, secretKeyBytes);
  requireBytes('event', event);
  return baseOf(event).multiply(G1.Fn.fromBytes(secretKey)).toBytes();
}

/**
 * What somebody has published: a BLS signature of 96 bytes, of a message under a domain, the signatures' unless another
 * is given.
 */
export interface PublishedSignature {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly domain?: string;
}

/**
 * Who made a tag: whose published signature sigma = x Q has e(tag, Q) = e(B, sigma), which holds for the same x alone.
 *
 * @param tag 48 bytes, from {@link blsLinkTag}. @param event that it was made for.
 * @param published of each candidate: any signature, or the proof of possession that is in every registry.
 * @param onTried called after each candidate.
 * @returns the candidates' indices, the signer's alone unless two share a key.
 * @throws RangeError for a tag of another length; Error for a tag or a signature that decodes to no point.
 */
export function whoMadeBlsTag(
  tag: Uint8Array,
  event: Uint8Array,
  published: readonly PublishedSignature[],
  onTried?: () => void,
): number[] {
  requireLength('tag', tag, publicKeyBytes);
  requireBytes('event', event);
  requireList('published', published);
  const [point, base] = [G1.fromBytes(tag), baseOf(event)];
  return published.flatMap(({ message, signature, domain = signatureDst }, index) => {
    const hashed = G2.fromAffine(bls12_381.G2.hashToCurve(ownBytes(message), { DST: domain }).toAffine());
    const product = bls12_381.pairingBatch([
      { g1: point, g2: hashed },
      { g1: base.negate(), g2: G2.fromBytes(signature) },
    ]);
    onTried?.();
    return bls12_381.fields.Fp12.eql(product, bls12_381.fields.Fp12.ONE) ? [index] : [];
  });
}
