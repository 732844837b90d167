import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, test } from 'vitest';
import { loadBls, suites } from '../src/index.ts';
import { insecureSecretKey } from '../src/insecureKeys.ts';
import { hexBytes, toHex } from './fixtures.ts';

const { signatureDst, possessionDst } = suites['min-sig'];
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const { shortSignatures } = bls12_381;

test('suites have the names of the draft, section 4.2.3', () => {
  expect(suites['min-pk'].signatureDst).toBe('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_');
  expect(suites['min-pk'].possessionDst).toBe('BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_');
  expect(signatureDst).toBe('BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_');
  expect(possessionDst).toBe('BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_');
});

test('loadBls refuses an unknown variant, and has one instance of each', async () => {
  await expect(loadBls({ variant: 'min' as never })).rejects.toThrow("variant: expected 'min-pk' or 'min-sig'");
  expect(await loadBls({ variant: 'min-sig' })).toBe(await loadBls({ variant: 'min-sig' }));
  expect(await loadBls()).toBe(await loadBls({ variant: 'min-pk' }));
  expect((await loadBls()).variant).toBe('min-pk');
});

describe.each(['wasm', 'noble'] as const)('min-sig on %s', async (kernel) => {
  const bls = await loadBls({ engine: kernel, variant: 'min-sig' });
  const secretKey = insecureSecretKey(bls, 1, 1);

  test('keys, signatures and proofs equal those of noble-curves', () => {
    const publicKey = shortSignatures.getPublicKey(secretKey);
    expect(toHex(bls.publicKey(secretKey))).toBe(toHex(publicKey.toBytes(true)));
    for (const message of ['', 'tutti', 'x'.repeat(300)].map(utf8)) {
      const signature = shortSignatures.sign(shortSignatures.hash(message, signatureDst), secretKey);
      expect(toHex(bls.sign(secretKey, message))).toBe(toHex(signature.toBytes(true)));
    }
    const proof = shortSignatures.sign(shortSignatures.hash(publicKey.toBytes(true), possessionDst), secretKey);
    expect(toHex(bls.provePossession(secretKey))).toBe(toHex(proof.toBytes(true)));
  });

  /** RFC 9380, appendix J.9.1. */
  test.each([
    [
      '',
      '052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1',
      '08ba738453bfed09cb546dbb0783dbb3a5f1f566ed67bb6be0e8c67e2e81a4cc68ee29813bb7994998f3eae0c9c6a265',
    ],
    [
      'abc',
      '03567bc5ef9c690c2ab2ecdf6a96ef1c139cc0b2f284dca0a9a7943388a49a3aee664ba5379a7655d3c68900be2f6903',
      '0b9c15f3fe6e5cf4211f346271d7b01c8f3b28be689c8429c85b67af215533311f0b8dfaaa154fa6b88176c229f2885d',
    ],
  ])('%j is hashed to the point of RFC 9380', (message, x, y) => {
    const domain = utf8('QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_');
    expect(bls.hashToCurve(utf8(message), domain)).toEqual(hexBytes(x + y));
  });

  test('refuses keys and signatures of the other variant', async () => {
    const minPk = await loadBls({ engine: kernel });
    const message = utf8('tutti');
    const [key, signature] = [bls.publicKey(secretKey), bls.sign(secretKey, message)];
    const [otherKey, otherSignature] = [minPk.publicKey(secretKey), minPk.sign(secretKey, message)];
    expect(bls.verify(key, message, signature)).toBe(true);
    expect(bls.verify(otherKey, message, otherSignature)).toBe(false);
    expect(minPk.verify(key, message, signature)).toBe(false);
    // A key of min-sig has the length of a signature of min-pk, but is not the member's signature.
    expect(minPk.verify(otherKey, message, key)).toBe(false);
    const store = minPk.pointStore(1);
    const kept = store.readSignature(otherSignature);
    if (!kept.ok) throw new Error(kept.code);
    const round = bls.round([key], message);
    expect(() => round.verify(0, Uint8Array.of(1), kept.kept)).toThrow(RangeError);
    round.free();
    store.free();
  });
});
