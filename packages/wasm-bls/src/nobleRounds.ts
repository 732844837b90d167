import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { coefficientBytes, drawCoefficients } from './batchCoefficients.ts';
import { combine, finite, type Groups, isOne, type Partner, type Points, pairingsAgree } from './nobleGroups.ts';
import type { RoundOperations } from './pointRound.ts';
import type { Suite } from './suite.ts';

/** A variant: its groups, its lengths and domains, and the operations of its rounds. */
export interface NobleVariant<Key, Signature> {
  readonly groups: Groups<Key, Signature>;
  readonly suite: Suite;
  readonly operations: RoundOperations<WeierstrassPoint<Key>, WeierstrassPoint<Signature>>;
}

/**
 * Returns the operations of rounds and stores on points that are JavaScript objects. The garbage collector frees them.
 */
export function nobleOperations<Key, Signature>(
  groups: Groups<Key, Signature>,
  { signatureDst }: Suite,
): RoundOperations<WeierstrassPoint<Key>, WeierstrassPoint<Signature>> {
  const { keys: ofKeys, signatures: ofSignatures, partner } = groups;
  const partnerOf = (message: Uint8Array): Partner<Key> => partner(ofSignatures.hash(message, signatureDst));
  return {
    readKey: (bytes) => finite(ofKeys.read(bytes)),
    readSignature: (bytes, form) =>
      form === 'compressed' ? ofSignatures.read(bytes) : ofSignatures.readStrangers(bytes),
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
    readTrustedKey: ofKeys.readUncompressed,
    readTrustedSignature: ofSignatures.readUncompressed,
    isInfinity: (point) => point.is0(),
    holding(message) {
      const ofMessage = partnerOf(message);
      return (claims) => {
        const coefficients = claims.length === 1 ? undefined : drawCoefficients(claims.length);
        const sum = <Field>({ Point }: Points<Field>, points: readonly WeierstrassPoint<Field>[]) =>
          coefficients === undefined ? points[0]! : combine(Point, points, coefficients);
        const key = sum(
          ofKeys,
          claims.map(({ key }) => key),
        );
        const signature = sum(
          ofSignatures,
          claims.map(({ signature }) => signature),
        );
        return pairingsAgree(groups, key, ofMessage, signature);
      };
    },
  };
}
