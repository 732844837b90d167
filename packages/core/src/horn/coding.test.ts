import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVarint, varintBytes, writeVarint } from './coding.ts';

describe('a variable-length integer of seven bits per byte', () => {
  it('decodes to the encoded integer, in the announced number of bytes', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 28 - 1), fc.nat(3), (value, before) => {
        const out = new Array<number>(before).fill(0xff);
        writeVarint(value, out);
        expect(varintBytes(value)).toBe(out.length - before);
        expect(readVarint(Uint8Array.from(out), before)).toEqual({ value, end: out.length });
      }),
    );
  });

  it.each([[[]], [[0x80]], [[0x80, 0]], [[0xff, 0xff, 0xff, 0xff, 1]]])('%j is refused', (bytes) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toBeUndefined();
  });
});
