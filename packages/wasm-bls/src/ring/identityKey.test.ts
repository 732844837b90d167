import { expect, it } from 'vitest';
import { identityKeyFault, identityKeyGen, identityPublicKey } from './identityKey.ts';

it('a key follows from its entropy, and its public half from its secret one', () => {
  const seed = new Uint8Array(32).fill(7);
  const { secretKey, publicKey } = identityKeyGen(seed);
  expect(identityKeyGen(seed)).toEqual({ secretKey, publicKey });
  expect(identityPublicKey(secretKey)).toEqual(publicKey);
  expect(identityKeyFault(publicKey)).toBeUndefined();
});

it('too little entropy, and invalid secrets, are refused', () => {
  expect(() => identityKeyGen(new Uint8Array(31))).toThrow(/seed: expected 32 bytes or more, got 31 bytes/);
  expect(() => identityPublicKey(new Uint8Array(32))).toThrow(RangeError);
  expect(() => identityPublicKey(new Uint8Array(33))).toThrow(RangeError);
});

it('what is no key has a code', () => {
  expect(identityKeyFault(new Uint8Array(31))).toBe('length');
  expect(identityKeyFault(new Uint8Array(32))).toBe('identity');
  expect(identityKeyFault(new Uint8Array(32).fill(255))).toBe('encoding');
});
