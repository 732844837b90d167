import { canonicalNetworkKey, isWeakNetworkKey } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { nobleCrypto } from '../crypto/noble.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { networkKey } from './networkKey.ts';

it('networkKey without a secret generates a new key each time', () => {
  expect(toHex(networkKey(nodeCrypto).publicKey)).not.toBe(toHex(networkKey(nodeCrypto).publicKey));
});

it('networkKey with a secret returns this key', () => {
  const secret = new Uint8Array(32).fill(7);
  expect(networkKey(nodeCrypto, secret).secret).toEqual(secret);
  expect(() => networkKey(nodeCrypto, new Uint8Array(31))).toThrow(new RangeError('secret: expected 32 bytes, got 31'));
});

it('isWeak is true for a key of low order and false for a generated key', () => {
  expect(isWeakNetworkKey(new Uint8Array(32))).toBe(true);
  expect(isWeakNetworkKey(Uint8Array.of(1, ...new Uint8Array(31)))).toBe(true);
  expect(isWeakNetworkKey(networkKey(nodeCrypto).publicKey)).toBe(false);
});

/**
 * Coordinates of all points of low order, with their other encodings in X25519: with the prime added, or with the
 * highest bit set.
 */
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
  const bytesOf = (coordinate: bigint) =>
    Uint8Array.from({ length: 32 }, (_, at) => Number((coordinate >> BigInt(8 * at)) & 0xffn));
  const others = [2n, 9n, 2n ** 254n, 2n ** 255n - 21n, 2n ** 255n - 17n];
  for (const coordinate of [...lowOrder, ...others])
    for (const suite of [nodeCrypto, nobleCrypto]) {
      const { sharedSecret } = suite.keyAgreement(new Uint8Array(32).fill(3));
      const publicKey = bytesOf(coordinate);
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
