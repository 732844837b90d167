import { expect, it } from 'vitest';
import { hornStatement } from '../horn/message.ts';
import {
  identityStatement,
  looksLikeIdentity,
  registrationStatement,
  registryBeaconStatement,
  ringKeyStatement,
} from './identity.ts';

/** Keys of 32 and 48 bytes, chosen to differ from the bytes of any text. */
const [key, publicKey] = [new Uint8Array(32).fill(0xaa), new Uint8Array(48).fill(0xbb)];

// Peers of two versions must agree on these labels, so the test repeats them literally.
it.each([
  { name: 'an identity', statement: identityStatement(publicKey, key), label: '', signed: [publicKey, key] },
  { name: 'a registration', statement: registrationStatement(key), label: 'registration v1\0', signed: [key] },
  { name: 'a ring key', statement: ringKeyStatement(key), label: 'ring key v1\0', signed: [key] },
  { name: 'a beacon', statement: registryBeaconStatement(key), label: 'registry beacon v1\0', signed: [key] },
])('the signed bytes of $name begin differently from any message of a round', ({ statement, label, signed }) => {
  const expected = Buffer.concat([Buffer.from(`tutti identity v1\0${label}`), ...signed]);
  expect(Buffer.from(statement).toString('hex')).toBe(expected.toString('hex'));
  expect(looksLikeIdentity(statement)).toBe(true);
  expect(looksLikeIdentity(statement.subarray(1))).toBe(false);
});

it('the signed bytes of a Horn author begin differently from any message of a round', () => {
  expect(looksLikeIdentity(hornStatement(key, publicKey))).toBe(true);
  expect(looksLikeIdentity(hornStatement(key, publicKey).subarray(1))).toBe(false);
});
