import { bls12_381 as noble } from '@noble/curves/bls12-381.js';
import { describe, expect, test } from 'vitest';
import { bls12_381 } from '../src/compat/noble.ts';
import { hexBytes, infinity, outsideG1Point, outsideG2Point } from './fixtures.ts';

/** The compiler checks that code for noble's curve accepts this package's curve. */
const written = (curve: typeof noble) => curve.longSignatures.keygen;
written(bls12_381);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const secretKeys = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
/** A number beyond the order of the group. Noble reduces it modulo the order. */
const tooLarge = new Uint8Array(32).fill(0xff);

/** Both kinds of signatures: noble's, the kernel's, and a point outside the subgroup of the keys. */
const kinds = [
  ['longSignatures', noble.longSignatures, bls12_381.longSignatures, outsideG1Point],
  ['shortSignatures', noble.shortSignatures, bls12_381.shortSignatures, outsideG2Point],
] as const;

/** Type of both kinds of signatures, whose points are in different groups. */
type Signatures = typeof noble.longSignatures;

describe.each(kinds)('%s', (_, ofNoble, ofKernel, outside) => {
  const theirs = ofNoble as unknown as Signatures;
  const ours = ofKernel as unknown as Signatures;
  const [message, other] = [utf8('tutti'), utf8('soli')];
  const points = [ours.hash(message), ours.hash(other)];
  const keys = secretKeys.map((secret) => ours.getPublicKey(secret));
  const signatures = secretKeys.map((secret, i) => ours.sign(points[i]!, secret));

  test('keys, hashes and signatures equal noble’s own, and are objects of its classes', () => {
    for (const domain of [undefined, 'own', utf8('x'.repeat(300))])
      expect(ours.hash(message, domain).equals(theirs.hash(message, domain))).toBe(true);
    for (const secret of [secretKeys[0]!, tooLarge])
      expect(ours.getPublicKey(secret).equals(theirs.getPublicKey(secret))).toBe(true);
    expect(signatures[0]!.equals(theirs.sign(points[0]!, secretKeys[0]!))).toBe(true);
    expect(ours.lengths).toBe(theirs.lengths);
    const bytes = ours.Signature.toBytes(signatures[0]!);
    expect(ours.Signature.fromBytes(bytes).equals(signatures[0]!)).toBe(true);
    const { secretKey, publicKey } = ours.keygen(new Uint8Array(48).fill(7));
    expect(publicKey.equals(theirs.keygen(new Uint8Array(48).fill(7)).publicKey)).toBe(true);
    expect(ours.getPublicKey(secretKey).equals(publicKey)).toBe(true);
  });

  test('verifies points and bytes, and returns false for invalid ones', () => {
    const [signature, key] = [signatures[0]!, keys[0]!];
    expect(ours.verify(signature, points[0]!, key)).toBe(true);
    expect(ours.verify(signature.toBytes(true), points[0]!, key.toBytes(true))).toBe(true);
    expect(ours.verify(signature, points[1]!, key)).toBe(false);
    expect(ours.verify(signature, points[0]!, keys[1]!)).toBe(false);
    expect(ours.verify(signatures[1]!, points[0]!, key)).toBe(false);
  });

  test('batches and sums equal noble’s', () => {
    const sum = ours.aggregateSignatures(signatures);
    expect(sum.equals(theirs.aggregateSignatures(signatures))).toBe(true);
    const items = keys.map((publicKey, i) => ({ message: points[i]!, publicKey }));
    expect(ours.verifyBatch(sum, items)).toBe(true);
    expect(ours.verifyBatch(sum, [...items].reverse())).toBe(true);
    expect(ours.verifyBatch(sum, items.slice(1))).toBe(false);
    const both = ours.aggregatePublicKeys(keys.map((key) => key.toBytes(true)));
    const same = ours.aggregateSignatures(secretKeys.map((secret) => ours.sign(points[0]!, secret)));
    expect(ours.verify(same, points[0]!, both)).toBe(true);
    const equal = keys.map((publicKey) => ({ message: points[0]!, publicKey }));
    expect(ours.verifyBatch(same, equal)).toBe(true);
    // A batch with keys that cancel out is invalid.
    const cancelling = [keys[0]!, keys[0]!.negate()].map((publicKey) => ({ message: points[0]!, publicKey }));
    expect(ours.verifyBatch(signatures[1]!, [...cancelling, { message: points[1]!, publicKey: keys[1]! }])).toBe(false);
  });

  test('throws if noble throws', () => {
    const [signature, key] = [signatures[0]!, keys[0]!];
    const keyBytes = key.toBytes(true).length;
    for (const bls of [theirs, ours]) {
      expect(() => bls.sign(message as never, secretKeys[0]!)).toThrow('expected valid message hashed to');
      expect(() => bls.verify(signature, message as never, key)).toThrow('expected valid message hashed to');
      expect(bls.verify(signature, points[0]!, infinity(keyBytes))).toBe(false);
      expect(() => bls.verify(signature, points[0]!, hexBytes(outside))).toThrow();
      expect(() => bls.verify(new Uint8Array(5), points[0]!, key)).toThrow();
      expect(() => bls.getPublicKey(new Uint8Array(32))).toThrow();
      expect(() => bls.getPublicKey(new Uint8Array(31))).toThrow('invalid private key');
      expect(() => bls.aggregatePublicKeys([])).toThrow();
      expect(() => bls.hash(message, '')).toThrow();
    }
  });
});
