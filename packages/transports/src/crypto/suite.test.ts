import { concat, fromHex, toHex } from '@tutti/core/input';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { nobleCrypto } from './noble.ts';
import { nodeCrypto, nodeCryptoWith } from './node.ts';
import { type CryptoSuite, rememberedSecrets, sealTagBytes } from './suite.ts';

const suites = [nodeCrypto, nobleCrypto];
const hex = (text: string) => fromHex(text, text.length / 2)!;

function seal(suite: CryptoSuite, key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, plaintext: Uint8Array) {
  const out = new Uint8Array(plaintext.length + sealTagBytes);
  suite.seal(key, nonce, associated, plaintext, out);
  return out;
}

describe.each(suites)('$name', (suite) => {
  it('RFC 7748 section 6.1: Alice and Bob have the public keys and the shared secret of the RFC', () => {
    const alice = suite.keyAgreement(hex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'));
    const bob = suite.keyAgreement(hex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'));
    const shared = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742';
    expect(toHex(alice.publicKey)).toBe('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a');
    expect(toHex(bob.publicKey)).toBe('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f');
    expect(toHex(alice.sharedSecret(bob.publicKey)!)).toBe(shared);
    expect(toHex(bob.sharedSecret(alice.publicKey)!)).toBe(shared);
  });

  it('RFC 8439 section 2.8.2: seals and opens the test vector', () => {
    const key = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i);
    const nonce = hex('070000004041424344454647');
    const associated = hex('50515253c0c1c2c3c4c5c6c7');
    const plaintext = new TextEncoder().encode(
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
    );
    const sealed =
      'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6' +
      '3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36' +
      '92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc' +
      '3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691';
    expect(toHex(seal(suite, key, nonce, associated, plaintext))).toBe(sealed);
    expect(suite.open(key, nonce, associated, hex(sealed))).toEqual(plaintext);
  });

  it.each([
    [
      'A.1',
      '000102030405060708090a0b0c',
      'f0f1f2f3f4f5f6f7f8f9',
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    ],
    ['A.3', '', '', '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8'],
  ])('RFC 5869 appendix %s: derives the keying material', (_, salt, info, expected) => {
    expect(toHex(suite.hkdfSha256(hex('0b'.repeat(22)), hex(salt), hex(info), 42))).toBe(expected);
  });

  it('RFC 4231 test case 2: authenticates a message', () => {
    const text = new TextEncoder();
    expect(toHex(suite.hmacSha256(text.encode('Jefe'), text.encode('what do ya want for nothing?')))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it("FIPS 180-4: hashes 'abc', in one part or several", () => {
    const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const abc = new TextEncoder().encode('abc');
    expect(toHex(suite.sha256([abc]))).toBe(expected);
    expect(toHex(suite.sha256([abc.subarray(0, 1), new Uint8Array(0), abc.subarray(1)]))).toBe(expected);
  });

  it('returns no shared secret for a key of low order (RFC 7748 section 6.1)', () => {
    const agreement = suite.keyAgreement(new Uint8Array(32).fill(1));
    const order8 = 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800';
    for (const low of ['00'.repeat(32), `01${'00'.repeat(31)}`, order8])
      expect(agreement.sharedSecret(hex(low))).toBeUndefined();
  });

  it('refuses keys of a wrong length', () => {
    expect(() => suite.keyAgreement(new Uint8Array(31))).toThrow(new RangeError('secret: expected 32 bytes, got 31'));
    const agreement = suite.keyAgreement(new Uint8Array(32).fill(1));
    expect(() => agreement.sharedSecret(new Uint8Array(33))).toThrow(
      new RangeError('publicKey: expected 32 bytes, got 33'),
    );
  });

  it('returns the requested number of random bytes, different each time', () => {
    const [one, other] = [suite.randomBytes(32), suite.randomBytes(32)];
    expect([one.length, toHex(one) === toHex(other)]).toEqual([32, false]);
  });

  it('returns plain byte arrays, whose slice is a copy', () => {
    const agreement = suite.keyAgreement(new Uint8Array(32).fill(1));
    const [key, nonce] = [new Uint8Array(32), new Uint8Array(12)];
    const given = [
      suite.randomBytes(8),
      suite.sha256([]),
      agreement.publicKey,
      agreement.sharedSecret(agreement.publicKey)!,
      suite.hmacSha256(key, key),
      suite.hkdfSha256(key, key, key, 64),
      suite.open(key, nonce, key, seal(suite, key, nonce, key, key))!,
    ];
    for (const bytes of given) expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
  });
});

const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

it('uses the cipher of Node if Node lists ChaCha20-Poly1305, and noble otherwise', () => {
  const bun = nodeCryptoWith(['aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm']);
  expect([bun.seal, bun.open]).toEqual([nobleCrypto.seal, nobleCrypto.open]);
  expect(bun.sha256).toBe(nodeCrypto.sha256);
  const node = nodeCryptoWith(['aes-256-gcm', 'chacha20-poly1305']);
  expect([node.seal, node.open]).toEqual([nodeCrypto.seal, nodeCrypto.open]);
  expect(nodeCrypto.seal).not.toBe(nobleCrypto.seal);
});

it('the suites return the same secrets, hashes and derived keys', () => {
  fc.assert(
    fc.property(anyBytes(32), anyBytes(32), fc.uint8Array(), (ours, theirs, info) => {
      const [one, other] = suites.map((suite) => {
        const { publicKey, sharedSecret } = suite.keyAgreement(ours);
        const shared = sharedSecret(suite.keyAgreement(theirs).publicKey)!;
        return [
          publicKey,
          shared,
          suite.hkdfSha256(shared, theirs, info, 64),
          suite.sha256([theirs, info]),
          suite.hmacSha256(theirs, info),
        ].map(toHex);
      });
      expect(one).toEqual(other);
    }),
    { numRuns: 20 },
  );
});

it.each([
  ['Node', 'noble', nodeCrypto, nobleCrypto],
  ['noble', 'Node', nobleCrypto, nodeCrypto],
] as const)('sealed by %s, %s opens it, and refuses it after one changed byte', (_, __, sealer, opener) => {
  const plaintexts = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(anyBytes(32), anyBytes(12), plaintexts, plaintexts, fc.nat(), (key, nonce, associated, plain, at) => {
      const sealed = seal(sealer, key, nonce, associated, plain);
      expect(opener.open(key, nonce, associated, sealed)).toEqual(plain);
      expect(opener.open(key, nonce, concat(associated, Uint8Array.of(0)), sealed)).toBeUndefined();
      sealed[at % sealed.length]! ^= 1;
      expect(opener.open(key, nonce, associated, sealed)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

const publicKeyOf = (fill: number) => nodeCrypto.keyAgreement(new Uint8Array(32).fill(fill)).publicKey;

it('computes the shared secret of a pair once for any number of sessions', () => {
  let computed = 0;
  const keyAgreement = vi.fn((secret: Uint8Array) => {
    const { publicKey, sharedSecret } = nodeCrypto.keyAgreement(secret);
    return { publicKey, sharedSecret: (of: Uint8Array) => [sharedSecret(of), computed++][0] as Uint8Array | undefined };
  });
  const secretOf = (own: Uint8Array, peer: number) => nodeCrypto.keyAgreement(own).sharedSecret(publicKeyOf(peer));
  const remembered = rememberedSecrets({ ...nodeCrypto, keyAgreement });
  const [mine, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  for (let session = 0; session < 3; session++) {
    const agreement = remembered.keyAgreement(mine.slice());
    expect(agreement.publicKey).toEqual(publicKeyOf(1));
    for (const peer of [5, 6, 5]) expect(agreement.sharedSecret(publicKeyOf(peer))).toEqual(secretOf(mine, peer));
    // A key of low order produces no shared secret, and this failed computation is not repeated either.
    expect(agreement.sharedSecret(new Uint8Array(32))).toBeUndefined();
  }
  expect([computed, keyAgreement.mock.calls.length]).toEqual([3, 1]);
  // The other end of a pair that shares the cache already has the secret.
  const theirs = remembered.keyAgreement(new Uint8Array(32).fill(5));
  expect(theirs.sharedSecret(publicKeyOf(1))).toEqual(secretOf(mine, 5));
  expect(computed).toBe(3);
  expect(remembered.keyAgreement(other).sharedSecret(publicKeyOf(5))).toEqual(secretOf(other, 5));
});
