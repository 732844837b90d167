import { expect, it } from 'vitest';
import { fromHex, toHex } from './hex.ts';
import { networkKey, sharedSecret } from './networkKey.ts';

const hex = (text: string) => fromHex(text, 32)!;

it('RFC 7748 section 6.1: Alice and Bob have the public keys and the shared secret of the RFC', () => {
  const alice = networkKey(hex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'));
  const bob = networkKey(hex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'));
  const shared = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742';
  expect(toHex(alice.publicKey)).toBe('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a');
  expect(toHex(bob.publicKey)).toBe('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f');
  expect(toHex(sharedSecret(alice.secret, bob.publicKey)!)).toBe(shared);
  expect(toHex(sharedSecret(bob.secret, alice.publicKey)!)).toBe(shared);
});

it('networkKey of no secret is a new one each time', () => {
  expect(toHex(networkKey().publicKey)).not.toBe(toHex(networkKey().publicKey));
});

it('sharedSecret with a key of low order is none', () => {
  const { secret } = networkKey();
  expect(sharedSecret(secret, new Uint8Array(32))).toBeUndefined();
  expect(sharedSecret(secret, Uint8Array.of(1, ...new Uint8Array(31)))).toBeUndefined();
});

it('a key of another length is refused', () => {
  expect(() => networkKey(new Uint8Array(31))).toThrow(new RangeError('secret: expected 32 bytes, got 31'));
  expect(() => sharedSecret(networkKey().secret, new Uint8Array(33))).toThrow(
    new RangeError('publicKey: expected 32 bytes, got 33'),
  );
});
