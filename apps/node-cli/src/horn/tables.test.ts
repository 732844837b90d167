import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snappyCoding } from './tables.ts';

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
    // 20 times 0xff by the format's description: a literal of one byte, then a copy of 19 bytes from one byte back.
    const code = Uint8Array.of(20, 0, 0xff, ((19 - 1) << 2) | 2, 1, 0);
    expect(snappyCoding.decode(code, 160)).toEqual(new Uint8Array(20).fill(0xff));
  });

  it('refuses a different stated length without allocating it, and input that is not Snappy', () => {
    expect(snappyCoding.decode(snappyCoding.encode(new Uint8Array(9), 72), 64)).toBeUndefined();
    expect(snappyCoding.decode(snappyCoding.encode(new Uint8Array(7), 56), 64)).toBeUndefined();
    expect(snappyCoding.decode(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), 64)).toBeUndefined();
    // A literal of at least 2^31 bytes, whose length the library would read as negative.
    expect(snappyCoding.decode(Uint8Array.of(35, 0, 9, 0xfc, 0xfa, 0xff, 0xff, 0xff, 1), 280)).toBeUndefined();
    expect(snappyCoding.decode(new Uint8Array(0), 64)).toBeUndefined();
    expect(snappyCoding.decode(Uint8Array.of(8, 1, 9), 64)).toBeUndefined();
  });
});
