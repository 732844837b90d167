import { expect, it } from 'vitest';
import { nodeCrypto } from './crypto/node.ts';
import { toHex } from './hex.ts';
import { isWeakNetworkKey, networkKey } from './networkKey.ts';

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
