import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { misuse, requireBytes, requireDomain, requireForm, requireLength } from './arguments.ts';
import type { Bls } from './bls.ts';
import type { NobleVariant } from './nobleRounds.ts';
import type { Decoded, PointFault } from './points.ts';

/** Returns a point's bytes, or the code of its fault. */
export function decoded<Point>(point: Point | PointFault, serialize: (point: Point) => Uint8Array): Decoded {
  return typeof point === 'string'
    ? { ok: false, code: point as PointFault }
    : { ok: true, point: serialize(point as Point) };
}

/** Returns the conversions between points and encodings. */
export function encoding<Key, Signature>({
  groups,
  suite,
  operations,
}: NobleVariant<Key, Signature>): Pick<
  Bls,
  'decodePublicKey' | 'validatePublicKey' | 'decodeSignature' | 'encodeSignature' | 'addSignatures' | 'hashToCurve'
> {
  const { keys: ofKeys, signatures: ofSignatures } = groups;
  const { signaturePointBytes, signatureGroup } = suite;
  const signatureDomain = new TextEncoder().encode(suite.signatureDst);

  function requireCurvePoint(label: string, bytes: Uint8Array): WeierstrassPoint<Signature> {
    requireLength(label, bytes, signaturePointBytes);
    const point = ofSignatures.readUncompressed(bytes);
    if (point === undefined)
      throw misuse(RangeError, label, `an uncompressed point of ${signatureGroup}`, 'an invalid point');
    return point;
  }

  return {
    decodePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return decoded(ofKeys.read(bytes), ofKeys.serialize);
    },

    validatePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return decoded(operations.readKey(bytes), ofKeys.serialize);
    },

    decodeSignature(bytes, form = 'compressed') {
      requireBytes('bytes', bytes);
      requireForm(form);
      return decoded(operations.readSignature(bytes, form), ofSignatures.serialize);
    },

    encodeSignature(point) {
      return ofSignatures.compress(requireCurvePoint('point', point));
    },

    addSignatures(a, b) {
      return ofSignatures.serialize(requireCurvePoint('a', a).add(requireCurvePoint('b', b)));
    },

    hashToCurve(message, domain = signatureDomain) {
      requireBytes('message', message);
      requireDomain(domain);
      return ofSignatures.serialize(ofSignatures.hash(message, domain));
    },
  };
}
