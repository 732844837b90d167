import { expect, it } from 'vitest';
import { identityKeyGen, identityPublicKey } from './identityKey.ts';

it('refuses too little entropy and invalid secrets', () => {
  expect(() => identityKeyGen(new Uint8Array(31))).toThrow(/seed: expected 32 bytes or more, got 31 bytes/);
  expect(() => identityPublicKey(new Uint8Array(32))).toThrow(RangeError);
  expect(() => identityPublicKey(new Uint8Array(33))).toThrow(RangeError);
});
