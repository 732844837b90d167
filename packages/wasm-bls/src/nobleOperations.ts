import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { combine, type Fp2Element, finite, inG1, inG2, lines, type Points } from './nobleKernel.ts';
import type { RoundOperations } from './pointRound.ts';
import { coefficientBytes, drawCoefficients } from './round.ts';
import type { Suite } from './suite.ts';

const { Fp12 } = bls12_381.fields;

type Pair = Parameters<typeof bls12_381.millerLoopBatch>[0][number];

/**
 * The groups of keys and of signatures. `partner` turns a message or a signature into the form that pairs with a key,
 * so that its part of the pairing is computed once for a repeated message.
 */
export interface Groups<Key, Signature> {
  readonly keys: Points<Key>;
  readonly signatures: Points<Signature>;
  partner(point: WeierstrassPoint<Signature>): Partner<Key>;
}

/** A message or a signature in the form that pairs with a key. */
export type Partner<Key> = (key: WeierstrassPoint<Key>) => Pair;

/** Groups of min-pk. `partner` computes the lines of the message or signature once. */
export const minPk: Groups<bigint, Fp2Element> = {
  keys: inG1,
  signatures: inG2,
  partner(point) {
    const own = lines(point);
    return (key) => {
      const { x, y } = key.toAffine();
      return [own, x, y];
    };
  },
};

/** Groups of min-sig. The lines are those of the key, so `partner` only converts the coordinates. */
export const minSig: Groups<Fp2Element, bigint> = {
  keys: inG2,
  signatures: inG1,
  partner(point) {
    const { x, y } = point.toAffine();
    return (key) => [lines(key), x, y];
  },
};

/** Returns whether the product of pairings is 1. */
export const isOne = (pairs: Pair[]): boolean =>
  Fp12.eql(Fp12.finalExponentiate(bls12_381.millerLoopBatch(pairs)), Fp12.ONE);

/** Returns whether e(key, message) = e(generator, signature). */
export function pairingsAgree<Key, Signature>(
  { keys, partner }: Groups<Key, Signature>,
  key: WeierstrassPoint<Key>,
  message: Partner<Key>,
  signature: WeierstrassPoint<Signature>,
): boolean {
  if (key.is0() || signature.is0()) return false;
  return isOne([message(key), partner(signature)(keys.Point.BASE.negate())]);
}

/** A variant: its groups, its lengths and domains, and the operations of its rounds. */
export interface NobleVariant<Key, Signature> {
  readonly groups: Groups<Key, Signature>;
  readonly suite: Suite;
  readonly operations: RoundOperations<WeierstrassPoint<Key>, WeierstrassPoint<Signature>>;
}

/**
 * Returns the operations of rounds and stores on points that are JavaScript objects. The garbage collector frees these
 * objects.
 */
export function nobleOperations<Key, Signature>(
  groups: Groups<Key, Signature>,
  { signatureDst }: Suite,
): RoundOperations<WeierstrassPoint<Key>, WeierstrassPoint<Signature>> {
  const { keys: ofKeys, signatures: ofSignatures, partner } = groups;
  const partnerOf = (message: Uint8Array): Partner<Key> => partner(ofSignatures.hash(message, signatureDst));
  return {
    readKey: (bytes) => finite(ofKeys.readCompressed(bytes)),
    readSignature: (bytes, form) =>
      form === 'compressed' ? ofSignatures.readCompressed(bytes) : ofSignatures.readUncompressed(bytes),
    encodeKey: ofKeys.compress,
    encodeSignature: (signature, form) =>
      form === 'compressed' ? ofSignatures.compress(signature) : ofSignatures.serialize(signature),
    addSignatures: (a, b) => a.add(b),
    sumKeys: (keys) => keys.reduce((sum, key) => sum.add(key), ofKeys.Point.ZERO),
    sumSignatures: (signatures) => signatures.reduce((sum, one) => sum.add(one), ofSignatures.Point.ZERO),
    verify: (key, message, signature) => pairingsAgree(groups, key, partnerOf(message), signature),
    verifyEach(claims, coefficients) {
      if (claims.some(({ key, signature }) => key.is0() || signature.is0())) return false;
      const pairs = claims.map(({ key, message }, i) => {
        const coefficient = coefficients.subarray(i * coefficientBytes, (i + 1) * coefficientBytes);
        return partnerOf(message)(combine(ofKeys.Point, [key], coefficient));
      });
      const points = claims.map(({ signature }) => signature);
      const sum = combine(ofSignatures.Point, points, coefficients);
      if (!sum.is0()) pairs.push(partner(sum)(ofKeys.Point.BASE.negate()));
      return isOne(pairs);
    },
    releaseKey() {},
    releaseSignature() {},
    readTrustedKey: ofKeys.readTrustedUncompressed,
    readTrustedSignature: ofSignatures.readTrustedUncompressed,
    isInfinity: (point) => point.is0(),
    claimsCheck(message) {
      const ofMessage = partnerOf(message);
      return (claims) => {
        const keys = claims.map(({ key }) => key);
        const signatures = claims.map(({ signature }) => signature);
        if (claims.length === 1) return pairingsAgree(groups, keys[0]!, ofMessage, signatures[0]!);
        const coefficients = drawCoefficients(claims.length);
        const key = combine(ofKeys.Point, keys, coefficients);
        return pairingsAgree(groups, key, ofMessage, combine(ofSignatures.Point, signatures, coefficients));
      };
    },
  };
}
