import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concat, readUint, writeUint } from './bytes.ts';

it('concat joins its parts', () => {
  expect([...concat()]).toEqual([]);
  expect([...concat(Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3))]).toEqual([1, 2, 3]);
});

it('writeUint is big-endian, like DataView', () => {
  const bytes = new Uint8Array(6).fill(9);
  writeUint(bytes, 1, 5, 0xfeedbeef);
  expect(new DataView(bytes.buffer).getUint32(1)).toBe(0xfeedbeef);
  expect([bytes[0], bytes[5]]).toEqual([9, 9]);
});

it('readUint decodes the output of writeUint, up to 2^48 - 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (value) => {
      const bytes = new Uint8Array(8);
      writeUint(bytes, 1, 7, value);
      expect(readUint(bytes, 1, 7)).toBe(value);
    }),
  );
});
