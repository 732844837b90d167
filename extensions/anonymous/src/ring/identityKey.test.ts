import { expect, it } from 'vitest';
import { identityKeyGen, identityPublicKey } from './identityKey.ts';

it('a key depends on its entropy only, and its public key on its secret key', () => {
  const seed = new Uint8Array(32).fill(7);
  const { secretKey, publicKey } = identityKeyGen(seed);
  expect(identityKeyGen(seed)).toEqual({ secretKey, publicKey });
  expect(identityPublicKey(secretKey)).toEqual(publicKey);
});

it('refuses too little entropy and invalid secrets', () => {
  expect(() => identityKeyGen(new Uint8Array(31))).toThrow(/seed: expected 32 bytes or more, got 31 bytes/);
  expect(() => identityPublicKey(new Uint8Array(32))).toThrow(RangeError);
  expect(() => identityPublicKey(new Uint8Array(33))).toThrow(RangeError);
});
