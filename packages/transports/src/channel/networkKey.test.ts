import { expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { toHex } from '../hex.ts';
import { canonicalNetworkKey, isWeakNetworkKey, networkKey } from './networkKey.ts';

it('networkKey of no secret is a new one each time', () => {
  expect(toHex(networkKey(nodeCrypto).publicKey)).not.toBe(toHex(networkKey(nodeCrypto).publicKey));
});

it('networkKey keeps the secret that it was given', () => {
  const secret = new Uint8Array(32).fill(7);
  expect(networkKey(nodeCrypto, secret).secret).toEqual(secret);
  expect(() => networkKey(nodeCrypto, new Uint8Array(31))).toThrow(new RangeError('secret: expected 32 bytes, got 31'));
});

it('a key of low order is weak, and a key of somebody is not', () => {
  expect(isWeakNetworkKey(nodeCrypto, new Uint8Array(32))).toBe(true);
  expect(isWeakNetworkKey(nodeCrypto, Uint8Array.of(1, ...new Uint8Array(31)))).toBe(true);
  expect(isWeakNetworkKey(nodeCrypto, networkKey(nodeCrypto).publicKey)).toBe(false);
});

it('keys that X25519 reads as one are one: without the highest bit, and below the prime', () => {
  const { publicKey } = networkKey(nodeCrypto);
  expect(canonicalNetworkKey(publicKey)).toEqual(publicKey);
  expect(canonicalNetworkKey(publicKey.with(31, publicKey[31]! | 0x80))).toEqual(publicKey);
  // 2^255 - 19 + 9 is 9, the base point's.
  const base = Uint8Array.of(9, ...new Uint8Array(31));
  const beyond = Uint8Array.of(0xf6, ...new Uint8Array(30).fill(0xff), 0x7f);
  expect(canonicalNetworkKey(beyond)).toEqual(base);
  const { sharedSecret } = nodeCrypto.keyAgreement(new Uint8Array(32).fill(3));
  for (const same of [beyond, base.with(31, 0x80)]) expect(sharedSecret(same)).toEqual(sharedSecret(base));
});
