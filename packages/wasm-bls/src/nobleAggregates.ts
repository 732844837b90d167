import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { misuse, requireBytes, requireBytesList, requireDomain, requireSome } from './arguments.ts';
import type { Bls } from './bls.ts';
import { finite, isOne } from './nobleGroups.ts';
import type { NobleVariant } from './nobleRounds.ts';
import { type PointFault, pointFaultText } from './points.ts';

/** Returns the verifications of signatures of several keys, on one message or on several. */
export function severalKeys<Key, Signature>({
  groups,
  suite,
  operations,
}: NobleVariant<Key, Signature>): Pick<Bls, 'fastAggregateVerify' | 'aggregateVerify' | 'verifyPoints'> {
  const { keys: ofKeys, signatures: ofSignatures, partner } = groups;

  /**
   * Returns whether the signature is the sum of the keys' signatures on the points. There are as many keys as points.
   */
  function signsAll(
    keys: readonly (WeierstrassPoint<Key> | PointFault)[],
    points: readonly (WeierstrassPoint<Signature> | PointFault)[],
    signature: WeierstrassPoint<Signature> | PointFault,
  ): boolean {
    if (typeof signature === 'string' || keys.length === 0 || keys.length !== points.length) return false;
    const pairs = [partner(signature)(ofKeys.Point.BASE.negate())];
    for (const [i, key] of keys.entries()) {
      const point = points[i]!;
      if (typeof key === 'string' || typeof point === 'string') return false;
      pairs.push(partner(point)(key));
    }
    return isOne(pairs);
  }

  return {
    fastAggregateVerify(publicKeys, message, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytes('message', message);
      requireBytes('signature', signature);
      let sum = ofKeys.Point.ZERO;
      for (const bytes of publicKeys) {
        const key = operations.readKey(bytes);
        if (typeof key === 'string') return false;
        sum = sum.add(key);
      }
      if (sum.is0()) return false;
      const point = ofSignatures.read(signature);
      if (typeof point === 'string') return false;
      return operations.verify(sum, message, point);
    },

    aggregateVerify(publicKeys, messages, signature, domain) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('messages', messages);
      requireBytes('signature', signature);
      if (domain !== undefined) requireDomain(domain);
      return signsAll(
        publicKeys.map((key) => finite(ofKeys.read(key))),
        messages.map((message) => ofSignatures.hash(message, domain ?? suite.signatureDst)),
        finite(ofSignatures.read(signature)),
      );
    },

    verifyPoints(publicKeys, points, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('points', points);
      requireBytes('signature', signature);
      const isCompressed = signature.length === suite.signatureBytes;
      return signsAll(
        publicKeys.map((key) => finite(ofKeys.readStrangers(key))),
        points.map((point) => finite(ofSignatures.readStrangers(point))),
        finite(isCompressed ? ofSignatures.read(signature) : ofSignatures.readStrangers(signature)),
      );
    },
  };
}

/** Returns the sums of encoded keys and signatures. */
export function aggregation<Key, Signature>({
  groups,
  suite,
  operations,
}: NobleVariant<Key, Signature>): Pick<Bls, 'aggregateSignatures' | 'aggregatePublicKeys'> {
  const { keys: ofKeys, signatures: ofSignatures } = groups;

  return {
    aggregateSignatures(signatures) {
      requireBytesList('signatures', signatures);
      requireSome('signatures', signatures);
      let sum = ofSignatures.Point.ZERO;
      for (const [i, bytes] of signatures.entries()) {
        const point = ofSignatures.read(bytes);
        if (typeof point === 'string')
          throw misuse(
            RangeError,
            `signatures[${i}]`,
            `a compressed point of ${suite.signatureGroup}`,
            pointFaultText(point),
          );
        sum = sum.add(point);
      }
      return ofSignatures.compress(sum);
    },

    aggregatePublicKeys(publicKeys) {
      requireBytesList('publicKeys', publicKeys);
      requireSome('publicKeys', publicKeys);
      let sum = ofKeys.Point.ZERO;
      for (const [i, bytes] of publicKeys.entries()) {
        const key = operations.readKey(bytes);
        if (typeof key === 'string')
          throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', pointFaultText(key));
        sum = sum.add(key);
      }
      return ofKeys.compress(sum);
    },
  };
}
