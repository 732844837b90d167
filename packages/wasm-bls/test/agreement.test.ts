import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { type Bls, type ContributionClaim, loadBls } from '../src/index.ts';
import { insecureSecretKey } from '../src/insecureKeys.ts';
import { bitsOf, groupOrder, hexBytes, signersOf } from './fixtures.ts';

const kernel = await loadBls({ engine: 'wasm' });
const noble = await loadBls({ engine: 'noble' });
const native = await loadBls({ engine: 'native' });
/** Engines that decode the same bytes as the kernel. */
const others = [noble, native];

/** Options of properties with pairings, of which noble takes about 20 ms each. */
const few = { seed: 20_190_416, numRuns: 8 };
const many = { seed: 20_190_416, numRuns: isWhole ? 60 : 20 };

const ikm = fc.uint8Array({ minLength: 32, maxLength: 64 });
const message = fc.uint8Array({ maxLength: 200 });

/** Returns random bytes with the length of a compressed point and with random flags. */
const pointLike = (length: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: length, maxLength: length }), fc.constantFrom(0x80, 0xa0, 0xc0, 0x00, 0xe0))
    .map(([bytes, flags]) => bytes.with(0, (bytes[0]! & 0x1f) | flags));

const agree = (other: Bls, resultOf: (bls: Bls) => unknown): void => expect(resultOf(other)).toEqual(resultOf(kernel));

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7)));

describe('the kernel, noble-curves and native blst', () => {
  test('derive the same keys, proofs and signatures, and verify each other', () => {
    fc.assert(
      fc.property(ikm, message, (entropy, text) => {
        const secretKey = kernel.keyGen(entropy);
        const [publicKey, signature] = [kernel.publicKey(secretKey), kernel.sign(secretKey, text)];
        expect(noble.verify(publicKey, text, signature)).toBe(true);
        agree(noble, (bls) => [
          ...[bls.keyGen(entropy), bls.publicKey(secretKey), bls.provePossession(secretKey), bls.sign(secretKey, text)],
          ...[bls.decodeSignature(signature), bls.decodePublicKey(publicKey)],
        ]);
      }),
      few,
    );
  });

  test('derive the same key from scalars whose 4-bit digits are at their limits', () => {
    const digits = ['1', '7', '8', '9', 'f', '78', '87', '89', '98', 'f0', '0f', '80', '08'];
    const scalars = [
      ...digits.map((digit) => BigInt(`0x${digit.repeat(64).slice(0, 64)}`) % groupOrder),
      ...Array.from({ length: 32 }, (_, i) => 1n << BigInt(8 * i - (i === 31 ? 2 : 0))),
      ...[1n, 2n, 8n, 9n, 15n, 16n, groupOrder - 1n, groupOrder - 2n, groupOrder >> 1n],
    ];
    for (const scalar of scalars) {
      const secretKey = hexBytes(scalar.toString(16).padStart(64, '0'));
      expect(kernel.publicKey(secretKey), scalar.toString(16)).toEqual(noble.publicKey(secretKey));
    }
  });

  test('decode the same uncompressed bytes to a signature, or refuse them for the same reason', () => {
    const point = kernel.hashToCurve(new Uint8Array());
    fc.assert(
      fc.property(fc.nat(192 * 8 - 1), fc.constantFrom(...[0x00, 0x20, 0x40, 0x80, 0xe0]), (bit, flags) => {
        const bytes = flipped(point, bit);
        bytes[0]! |= flags;
        for (const other of others) agree(other, (bls) => bls.decodeSignature(bytes, 'uncompressed'));
      }),
      many,
    );
  });

  test('hash to the same point under any domain, of characters beyond ASCII too', () => {
    const domain = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 255 }),
      fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(message, domain, (text, tag) => {
        expect(noble.hashToCurve(text, tag)).toEqual(kernel.hashToCurve(text, tag));
      }),
      few,
    );
  });

  test('refuse the same bytes as a key, for the same reason', () => {
    fc.assert(
      fc.property(pointLike(48), (bytes) => {
        for (const other of others) agree(other, (bls) => [bls.decodePublicKey(bytes), bls.validatePublicKey(bytes)]);
      }),
      many,
    );
  });

  test('refuse the same bytes as a signature, of any content or with one bit flipped', () => {
    const signature = kernel.sign(insecureSecretKey(kernel, 1, 1), new Uint8Array());
    fc.assert(
      fc.property(pointLike(96), fc.nat(96 * 8 - 1), (bytes, bit) => {
        for (const other of others)
          agree(other, (bls) => [bytes, flipped(signature, bit)].map((one) => bls.decodeSignature(one)));
      }),
      many,
    );
  });
});

/** Sizes around powers of two and multiples of 8. The kernel adds signers' keys or subtracts the others. */
describe.each(sampled([1, 2, 3, 8, 13, 17, 31, 32, 33], 4))('a round of %i keys', (size) => {
  const text = Uint8Array.of(size);
  const { publicKeys, signatures } = signersOf(kernel, size, text);
  const [fast, slow] = [kernel.round(publicKeys, text), noble.round(publicKeys, text)];
  const signerSet = fc.uniqueArray(fc.nat(size - 1), { minLength: 1, maxLength: size });

  test('verifies the claimed signers from any first index, and refuses one more or fewer, like noble-curves', () => {
    fc.assert(
      fc.property(signerSet, fc.nat(size - 1), (signers, changed) => {
        const aggregate = kernel.aggregateSignatures(signers.map((i) => signatures[i]!));
        const first = Math.min(changed, ...signers);
        for (const round of [fast, slow]) {
          expect(round.verify(first, bitsOf(signers.map((i) => i - first)), aggregate)).toBe(true);
          expect(round.verify(0, flipped(bitsOf(signers, size), changed), aggregate)).toBe(false);
        }
      }),
      { ...few, numRuns: 3 },
    );
  });

  /** Claims of random signers, some of them with the signature of another claim. */
  const batch = fc.array(fc.record({ signers: signerSet, honest: fc.boolean() }), { maxLength: 12 });
  const claimOf = (signers: readonly number[], signedBy: readonly number[]): ContributionClaim => ({
    first: 0,
    bits: bitsOf(signers),
    signature: kernel.aggregateSignatures(signedBy.map((i) => signatures[i]!)),
  });

  test('verifies batches of claims, and refuses those with an invalid claim, like noble-curves', () => {
    fc.assert(
      fc.property(batch, (drawn) => {
        expect(fast.verifyBatch(drawn.map(({ signers }) => claimOf(signers, signers)))).toBe(true);
        const claims = drawn.map(({ signers, honest }) => claimOf(signers, honest ? signers : [...signers, 0]));
        const verdict = drawn.every((claim) => claim.honest);
        expect([fast.verifyBatch(claims), slow.verifyBatch(claims)]).toEqual([verdict, verdict]);
      }),
      { ...few, numRuns: 3 },
    );
  });
});
