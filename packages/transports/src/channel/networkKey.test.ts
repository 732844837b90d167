import { createHash, createPublicKey, verify } from 'node:crypto';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { canonicalNetworkKey, isWeakNetworkKey } from '@tutti/core';
import { concat } from '@tutti/core/input';
import { insecureSeed } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nobleCrypto } from '../crypto/noble.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { networkKey, signWithNetworkKey, verifyNetworkKey } from './networkKey.ts';

it('networkKey returns the given key, or a new one each time', () => {
  expect(networkKey(nodeCrypto).publicKey).not.toEqual(networkKey(nodeCrypto).publicKey);
  const secret = new Uint8Array(32).fill(7);
  expect(networkKey(nodeCrypto, secret).secret).toEqual(secret);
  const short = new Uint8Array(31);
  for (const use of [() => networkKey(nodeCrypto, short), () => signWithNetworkKey(nodeCrypto, short, short)])
    expect(use).toThrow(new RangeError('secret: expected 32 bytes, got 31'));
  expect(() => signWithNetworkKey({} as never, secret, secret)).toThrow(/^crypto/);
  expect(() => verifyNetworkKey(secret, secret, 'signature' as never)).toThrow(/^signature: expected/);
});

/** All points of low order. A coordinate also has the encodings with the prime added and with the highest bit set. */
const lowOrder = [
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  2n ** 255n - 20n,
  2n ** 255n - 19n,
  2n ** 255n - 18n,
].flatMap((coordinate) => [coordinate, coordinate + 2n ** 255n]);

it('a key is weak exactly if one of the suites derives no shared secret from it', () => {
  const others = [2n, 9n, 2n ** 254n, 2n ** 255n - 21n, 2n ** 255n - 17n];
  for (const coordinate of [...lowOrder, ...others])
    for (const suite of [nodeCrypto, nobleCrypto]) {
      const { sharedSecret } = suite.keyAgreement(new Uint8Array(32).fill(3));
      const publicKey = numberToBytesLE(coordinate, 32);
      expect(isWeakNetworkKey(publicKey), String(coordinate)).toBe(lowOrder.includes(coordinate));
      expect(sharedSecret(publicKey) === undefined, String(coordinate)).toBe(lowOrder.includes(coordinate));
    }
  expect(() => isWeakNetworkKey(new Uint8Array(31))).toThrow(new RangeError('publicKey: expected 32 bytes, got 31'));
});

it('keys that X25519 decodes to the same value are equal: the highest bit is ignored and values are reduced by the prime', () => {
  const { publicKey } = networkKey(nodeCrypto);
  expect(canonicalNetworkKey(publicKey)).toEqual(publicKey);
  expect(canonicalNetworkKey(publicKey.with(31, publicKey[31]! | 0x80))).toEqual(publicKey);
  // 2^255 - 19 + 9 is equivalent to 9, the coordinate of the base point.
  const base = Uint8Array.of(9, ...new Uint8Array(31));
  const beyond = Uint8Array.of(0xf6, ...new Uint8Array(30).fill(0xff), 0x7f);
  expect(canonicalNetworkKey(beyond)).toEqual(base);
  const { sharedSecret } = nodeCrypto.keyAgreement(new Uint8Array(32).fill(3));
  for (const same of [beyond, base.with(31, 0x80)]) expect(sharedSecret(same)).toEqual(sharedSecret(base));
});

const { publicKey, secret } = networkKey(nodeCrypto, insecureSeed('network', 1, 1));
const message = new TextEncoder().encode('a statement');

describe('signatures by an X25519 key (XEdDSA)', () => {
  it('every key signs any message, with a new nonce each time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 300 }), (seed, text) => {
        const key = networkKey(nodeCrypto, seed);
        const [one, two] = [nodeCrypto, nobleCrypto].map((suite) => signWithNetworkKey(suite, seed, text));
        expect([one, two].map((signature) => verifyNetworkKey(key.publicKey, text, signature!))).toEqual([true, true]);
        expect(one).not.toEqual(two);
      }),
      { numRuns: 20 },
    );
  });

  it('an independent library verifies the signature with the key converted to Ed25519', () => {
    // The expected key is the point with an even x and this u: u = (1 + y) / (1 - y).
    const { Fp } = ed25519.Point;
    const u = Fp.fromBytes(publicKey);
    const y = Fp.toBytes(Fp.mul(Fp.sub(u, 1n), Fp.inv(Fp.add(u, 1n))));
    expect(ed25519.utils.toMontgomery(y)).toEqual(publicKey);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(y).toString('base64url') };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    expect(verify(null, message, key, signWithNetworkKey(nodeCrypto, secret, message))).toBe(true);
  });

  it('the nonce is the hash of 2^256 - 2, key, message and 64 random bytes, as in the specification', () => {
    const random = Uint8Array.from({ length: 64 }, (_, i) => i);
    const crypto = { ...nodeCrypto, randomBytes: () => random };
    const { Point } = ed25519;
    // Of a secret and its negative, the one whose point has an even x.
    const clamped = secret.slice();
    clamped[0]! &= 248;
    clamped[31] = (clamped[31]! & 127) | 64;
    const scalar = Point.Fn.create(bytesToNumberLE(clamped));
    const isOdd = (Point.BASE.multiply(scalar).toBytes()[31]! & 0x80) !== 0;
    const own = numberToBytesLE(isOdd ? Point.Fn.neg(scalar) : scalar, 32);
    const domain = Buffer.from(`fe${'ff'.repeat(31)}`, 'hex');
    const hash = createHash('sha512')
      .update(concat(domain, own, message, random))
      .digest();
    const commitment = Point.BASE.multiply(Point.Fn.create(bytesToNumberLE(hash))).toBytes();
    expect(signWithNetworkKey(crypto, secret, message).subarray(0, 32)).toEqual(commitment);
  });

  it('verifies with its key and message only, and fails after any changed bit', () => {
    const signature = signWithNetworkKey(nodeCrypto, secret, message);
    expect(verifyNetworkKey(publicKey, message.subarray(1), signature)).toBe(false);
    expect(verifyNetworkKey(networkKey(nodeCrypto).publicKey, message, signature)).toBe(false);
    for (let at = 0; at < signature.length; at++)
      expect(verifyNetworkKey(publicKey, message, signature.with(at, signature[at]! ^ 1)), `${at}`).toBe(false);
    expect(verifyNetworkKey(publicKey, message, signature.subarray(1))).toBe(false);
  });

  it('refuses keys that are non-canonical, of low order or on the twist', () => {
    const signature = signWithNetworkKey(nodeCrypto, secret, message);
    const { Point } = ed25519;
    const small = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    expect(small.isSmallOrder()).toBe(true);
    const own = Point.fromBytes(ed25519.getPublicKey(secret));
    const shifted = ed25519.utils.toMontgomery(own.add(small).toBytes());
    // Both give the same shared secret with any other key, because X25519 multiplies by 8.
    expect(x25519.getSharedSecret(secret, shifted)).toEqual(
      x25519.getSharedSecret(secret, ed25519.utils.toMontgomery(own.toBytes())),
    );
    const zero = new Uint8Array(32);
    const minusOne = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0xec : i === 31 ? 0x7f : 0xff));
    for (const other of [
      publicKey.with(31, publicKey[31]! | 0x80),
      shifted,
      minusOne,
      ...[0, 1, 2].map((byte) => zero.with(0, byte)),
    ])
      expect(verifyNetworkKey(other, message, signature)).toBe(false);
    // The key has low order: with R = s B, the equation of Ed25519 holds for the neutral element as the key.
    const forged = new Uint8Array(64);
    forged.set(Point.BASE.toBytes());
    forged[32] = 1;
    expect(verifyNetworkKey(zero, message, forged)).toBe(false);
    expect(verifyNetworkKey(zero.with(0, 1), message, forged)).toBe(false);
  });
});
