import { expect, it } from 'vitest';
import { identityKeyGen, identityPublicKey } from './identityKey.ts';

it('a key follows from its entropy, and its public half from its secret one', () => {
  const seed = new Uint8Array(32).fill(7);
  const { secretKey, publicKey } = identityKeyGen(seed);
  expect(identityKeyGen(seed)).toEqual({ secretKey, publicKey });
  expect(identityPublicKey(secretKey)).toEqual(publicKey);
});

it('too little entropy, and invalid secrets, are refused', () => {
  expect(() => identityKeyGen(new Uint8Array(31))).toThrow(/seed: expected 32 bytes or more, got 31 bytes/);
  expect(() => identityPublicKey(new Uint8Array(32))).toThrow(RangeError);
  expect(() => identityPublicKey(new Uint8Array(33))).toThrow(RangeError);
});
