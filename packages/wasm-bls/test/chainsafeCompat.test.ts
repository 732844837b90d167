import { SecretKey as NativeSecretKey } from '@chainsafe/blst';
import { describe, expect, test } from 'vitest';
import bls, {
  CoordType,
  EmptyAggregateError,
  type IBls,
  InvalidLengthError,
  InvalidOrderError,
  PointFormat,
  PublicKey,
  SECRET_KEY_LENGTH,
  SecretKey,
  Signature,
  ZeroPublicKeyError,
  ZeroSecretKeyError,
  ZeroSignatureError,
} from '../src/compat/chainsafe.ts';
import { compressedX, hexBytes, infinity, negated, outsideG2X, uncompressedInfinity } from './fixtures.ts';

/** Cases from the tests of @chainsafe/bls 8.2.0 (test/unit, test/spec), which its package does not contain. */

/** Declares its argument types as users of @chainsafe/bls do, so that the compiler checks them. */
const verifyByBoth = (library: IBls, key: PublicKey, signature: Signature, message: Uint8Array): boolean =>
  signature.verify(key, message) && library.verify(key, message, signature);

const message = new Uint8Array(32).fill(0x56);
const secretKeys = [1, 2, 3, 4].map((byte) => SecretKey.fromKeygen(new Uint8Array(32).fill(byte)));
const publicKeys = secretKeys.map((secret) => secret.toPublicKey());
const messages = [1, 2, 3, 4].map((byte) => new Uint8Array(32).fill(byte));

describe('keys', () => {
  test('equal those of blst for the same entropy, and decode from bytes and hexadecimal digits', () => {
    const native = NativeSecretKey.fromKeygen(new Uint8Array(32).fill(1));
    expect(secretKeys[0]!.toBytes()).toEqual(Uint8Array.from(native.toBytes()));
    expect(publicKeys[0]!.toBytes()).toEqual(Uint8Array.from(native.toPublicKey().toBytes()));
    expect(secretKeys[0]!.sign(message).toBytes()).toEqual(Uint8Array.from(native.sign(message).toBytes()));
    expect(SecretKey.fromHex(secretKeys[0]!.toHex()).toHex()).toBe(secretKeys[0]!.toHex());
    expect(SecretKey.fromHex(secretKeys[0]!.toHex().slice(2)).toHex()).toBe(secretKeys[0]!.toHex());
    expect(SecretKey.fromKeygen().toHex()).not.toBe(SecretKey.fromKeygen().toHex());
    expect(bls.secretKeyToPublicKey(secretKeys[0]!.toBytes())).toEqual(publicKeys[0]!.toBytes());
  });

  test('have both encodings', () => {
    const secret = SecretKey.fromBytes(new Uint8Array(SECRET_KEY_LENGTH).fill(1));
    const compressed =
      '0xaa1a1c26055a329817a5759d877a2795f9499b97d6056edde0eea39512f24e8bc874b4471f0501127abb1ea0d9f68ac1';
    const uncompressed =
      '0x0a1a1c26055a329817a5759d877a2795f9499b97d6056edde0eea39512f24e8bc874b4471f0501127abb1ea0d9f68ac111392125a1c3750363c2c97d9650fb78696e6428db8ff9efaf0471cbfd20324916ab545746db83756d335e92f9e8c8b8';
    const key = secret.toPublicKey();
    expect(key.toHex(PointFormat.compressed)).toBe(compressed);
    expect(key.toHex(PointFormat.uncompressed)).toBe(uncompressed);
    expect(PublicKey.fromHex(uncompressed).toHex()).toBe(compressed);
    expect(PublicKey.fromBytes(hexBytes(compressed), CoordType.affine, true).toHex()).toBe(compressed);
    // A point with the other root, and a point that is not on the curve.
    const other = PublicKey.fromBytes(negated(hexBytes(compressed))).toBytes(PointFormat.uncompressed);
    expect(PublicKey.fromBytes(other).toBytes()).toEqual(negated(hexBytes(compressed)));
    expect(() => PublicKey.fromHex(`${uncompressed.slice(0, -1)}9`)).toThrow('INVALID_ENCODING');
    const signature = secret.sign(message);
    expect(Signature.fromBytes(signature.toBytes(PointFormat.uncompressed)).toHex()).toBe(signature.toHex());
  });

  test('are refused with the errors that its users catch', () => {
    expect(() => SecretKey.fromBytes(new Uint8Array(32))).toThrow(ZeroSecretKeyError);
    expect(() => SecretKey.fromHex('0x2123')).toThrow(InvalidLengthError);
    expect(() => SecretKey.fromBytes(new Uint8Array(32).fill(0xff))).toThrow(RangeError);
    expect(() => PublicKey.fromBytes(infinity(48))).toThrow(ZeroPublicKeyError);
    expect(() => PublicKey.fromBytes(uncompressedInfinity(96))).toThrow(ZeroPublicKeyError);
    expect(() => PublicKey.fromBytes(new Uint8Array(48))).toThrow(ZeroPublicKeyError);
    expect(() => PublicKey.fromBytes(new Uint8Array(47).fill(1))).toThrow(InvalidLengthError);
    expect(() => Signature.fromBytes(compressedX(96, outsideG2X))).toThrow(InvalidOrderError);
    expect(() => Signature.fromBytes(new Uint8Array(96))).toThrow('INVALID_ENCODING');
    expect(() => PublicKey.aggregate([])).toThrow(EmptyAggregateError);
    expect(() => Signature.aggregate([])).toThrow(EmptyAggregateError);
    expect(() => publicKeys[0]!.multiplyBy(message)).toThrow('not implemented');
  });
});

describe('verify', () => {
  const signature = secretKeys[0]!.sign(message);

  test('accepts exactly a key’s signature, by object and by bytes', async () => {
    expect(verifyByBoth(bls, publicKeys[0]!, signature, message)).toBe(true);
    expect(bls.verify(publicKeys[0]!.toBytes(), message, signature.toBytes())).toBe(true);
    expect(await bls.asyncVerify(publicKeys[0]!, message, signature)).toBe(true);
    expect(bls.verify(publicKeys[0]!, messages[0]!, signature)).toBe(false);
    expect(bls.verify(publicKeys[1]!, message, signature)).toBe(false);
    expect(signature.verify(publicKeys[0]!, new Uint8Array())).toBe(false);
    expect(bls.verify(publicKeys[0]!, message, new Uint8Array(96))).toBe(false);
    expect(bls.verify(infinity(48), message, infinity(96))).toBe(false);
    expect(() => Signature.fromBytes(infinity(96)).verify(publicKeys[0]!, message)).toThrow(ZeroSignatureError);
  });

  test('verifyAggregate verifies one message with many keys', async () => {
    const sum = bls.aggregateSignatures(secretKeys.map((secret) => secret.sign(message)));
    expect(bls.verifyAggregate(publicKeys, message, sum)).toBe(true);
    expect(await bls.asyncVerifyAggregate(publicKeys, message, sum)).toBe(true);
    expect(bls.verify(bls.aggregatePublicKeys(publicKeys), message, sum)).toBe(true);
    expect(bls.verifyAggregate(publicKeys.slice(1), message, sum)).toBe(false);
    expect(bls.verifyAggregate([], message, infinity(96))).toBe(false);
    // A set of nine keys has two bytes.
    const nine = Array.from({ length: 9 }, (_, i) => secretKeys[i % 4]!);
    const sumOfNine = Signature.aggregate(nine.map((secret) => secret.sign(message)));
    const keysOfNine = nine.map((secret) => secret.toPublicKey());
    expect(bls.verifyAggregate(keysOfNine, message, sumOfNine)).toBe(true);
  });

  test('verifyMultiple verifies one message per key, also equal messages', () => {
    const sum = Signature.aggregate(secretKeys.map((secret, i) => secret.sign(messages[i]!)));
    expect(bls.verifyMultiple(publicKeys, messages, sum)).toBe(true);
    expect(bls.verifyMultiple([...publicKeys].reverse(), messages, sum)).toBe(false);
    expect(bls.verifyMultiple([], messages, new Uint8Array(96))).toBe(false);
    const same = Signature.aggregate(secretKeys.map((secret) => secret.sign(message)));
    expect(bls.verifyMultiple(publicKeys, new Array<Uint8Array>(4).fill(message), same)).toBe(true);
  });

  test('verifyMultipleSignatures refuses signatures that are valid only together', () => {
    const sets = secretKeys.map((secret, i) => ({
      publicKey: publicKeys[i]!,
      message: messages[i]!,
      signature: secret.sign(messages[i]!),
    }));
    expect(bls.verifyMultipleSignatures(sets)).toBe(true);
    const asBytes = sets.map(({ message, publicKey, signature }) => ({
      message,
      publicKey: publicKey.toBytes(),
      signature: signature.toBytes(),
    }));
    expect(Signature.verifyMultipleSignatures(asBytes)).toBe(true);
    expect(bls.verifyMultipleSignatures([])).toBe(false);
    // One signature is shifted by a point, another by the inverse of the point, so their sum is unchanged.
    const shift = secretKeys[0]!.sign(message);
    const back = Signature.fromBytes(negated(shift.toBytes()));
    const shifted = sets.map((set, i) =>
      i > 1 ? set : { ...set, signature: Signature.aggregate([set.signature, i === 0 ? shift : back]) },
    );
    const sum = Signature.aggregate(shifted.map(({ signature: own }) => own));
    expect(sum.verifyMultiple(publicKeys, messages)).toBe(true);
    expect(bls.verifyMultipleSignatures(shifted)).toBe(false);
  });
});
