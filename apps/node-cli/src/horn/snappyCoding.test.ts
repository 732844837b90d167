import { RandomStream } from '@tutti/core';
import { aggregateAndProofBytes, randomBitfield, singleAttestationBytes, snappyBitfieldBytes } from '@tutti/ethereum';
import fc from 'fast-check';
import { compress } from 'snappyjs';
import { describe, expect, it } from 'vitest';
import { snappyCoding } from './snappyCoding.ts';

describe('the Snappy coding of bitfields', () => {
  const patterns = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 5000 }),
    fc.integer({ min: 1, max: 5000 }).map((length) => new Uint8Array(length).fill(0xff)),
    fc.array(fc.constantFrom(0xff, 0xef, 0), { minLength: 1, maxLength: 5000 }).map((bytes) => Uint8Array.from(bytes)),
  );

  it('decodes to the encoded bitfield, within its maximum length', () => {
    fc.assert(
      fc.property(patterns, (bitfield) => {
        const bits = 8 * bitfield.length;
        const code = snappyCoding.encode(bitfield, bits);
        expect(snappyCoding.decode(code, bits)).toEqual(bitfield);
        expect(code.length).toBeLessThanOrEqual(snappyCoding.worstBytes(bits));
      }),
    );
  });

  it('uses the block format: length, then literals and copies', () => {
    // Twenty bytes of 0xff: a literal of one byte, then a copy of 19 bytes at offset 1.
    const code = Uint8Array.of(20, 0, 0xff, ((19 - 1) << 2) | 2, 1, 0);
    expect(snappyCoding.decode(code, 160)).toEqual(new Uint8Array(20).fill(0xff));
  });

  it('refuses a different stated length without allocating it, and input that is not Snappy', () => {
    const others = [9, 7].map((length) => snappyCoding.encode(new Uint8Array(length), 8 * length));
    const invalid = [[0xff, 0xff, 0xff, 0xff, 0x0f], [], [8, 1, 9]].map((bytes) => Uint8Array.from(bytes));
    for (const code of [...others, ...invalid]) expect(snappyCoding.decode(code, 64)).toBeUndefined();
    // A literal of at least 2^31 bytes, a length that the library would read as negative.
    expect(snappyCoding.decode(Uint8Array.of(35, 0, 9, 0xfc, 0xfa, 0xff, 0xff, 0xff, 1), 280)).toBeUndefined();
  });
});

const random = new RandomStream(1, 'wire bytes');
const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => random.nextBelow(256)));

const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);

/** AttestationData as on mainnet in 2025: slot, index, root and two checkpoints. */
const data = Buffer.concat([u64(11_500_123), u64(0), bytes(32), u64(359_378), bytes(32), u64(359_379), bytes(32)]);

describe('wire bytes compared with a real Snappy', () => {
  it('a SingleAttestation', () => {
    const single = Buffer.concat([u64(37), u64(812_345), data, bytes(96)]);
    expect(Math.abs(singleAttestationBytes - compress(single).length)).toBeLessThanOrEqual(4);
  });

  it('a SignedAggregateAndProof with all of 512 votes', () => {
    const bits = Buffer.alloc(65, 255);
    bits[64] = 1;
    const offset = (to: number) => Buffer.from([to, 0, 0, 0]);
    const proof = [offset(100), bytes(96), u64(812_345), offset(108), bytes(96)];
    const aggregate = Buffer.concat([...proof, offset(236), data, bytes(96), u64(1), bits]);
    expect(Math.abs(aggregateAndProofBytes(512, 512, 8) / compress(aggregate).length - 1)).toBeLessThan(0.03);
  });

  it.each([
    [512, 0.97],
    [512, 1],
    [4096, 0.97],
    [32_768, 0.5],
    [32_768, 0.97],
    [32_768, 0.99],
    [32_768, 0.9975],
    [32_768, 1],
  ])('are within a tenth for a bitfield of %i bits of which %f are ones', (size, share) => {
    const ones = Math.round(size * share);
    const lengths = Array.from(
      { length: 16 },
      () => snappyCoding.encode(randomBitfield(size, ones, random), size).length,
    );
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(Math.abs(snappyBitfieldBytes(size, ones) / mean - 1)).toBeLessThan(0.1);
  });
});
