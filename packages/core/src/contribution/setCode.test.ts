import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordsOf } from '../../test/sets.ts';
import { Tree } from '../overlay/tree.ts';
import { listedSetBytes, readSet, writeSet } from './setCode.ts';

const anySet = fc.integer({ min: 1, max: 200 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    signers: fc.uniqueArray(fc.nat(size - 1), { minLength: 1, maxLength: size }),
    offset: fc.nat(5),
    beyond: fc.nat(5),
  }),
);

const wordsWith = (size: number, signers: readonly number[]) => wordsOf(new Tree(size), 1, signers);

it('a set on the wire decodes to the encoded set, at any offset', () => {
  fc.assert(
    fc.property(anySet, ({ size, signers, offset, beyond }) => {
      const words = wordsWith(size, signers);
      const bytes = new Uint8Array(offset + listedSetBytes(size) + beyond).fill(0xff);
      const end = writeSet(words, size, bytes, offset);
      expect(end).toBe(offset + listedSetBytes(size));
      expect(readSet(size, bytes, offset)).toEqual({ ok: true, words, end });
      expect(bytes.subarray(0, offset).every((byte) => byte === 0xff)).toBe(true);
      expect(bytes.subarray(end).every((byte) => byte === 0xff)).toBe(true);
    }),
  );
});

it('a set on the wire puts the lowest id into bit 0 of the first byte', () => {
  const bytes = new Uint8Array(4);
  writeSet(wordsWith(20, [0, 9, 19]), 20, bytes, 0);
  expect([...bytes]).toEqual([1, 0b1, 0b10, 0b1000]);
});

it('a set on the wire has no bit beyond the end: no signer counts for missing ids', () => {
  for (let size = 1; size <= 70; size++) {
    for (let bit = size; bit < Math.ceil(size / 8) * 8; bit++) {
      const bytes = new Uint8Array(listedSetBytes(size));
      writeSet(wordsWith(size, [0]), size, bytes, 0);
      bytes[1 + (bit >>> 3)]! |= 1 << (bit & 7);
      expect(readSet(size, bytes, 0), `bit ${bit} of ${size}`).toEqual({ ok: false, code: 'bit-beyond-end' });
    }
  }
});
