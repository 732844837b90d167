import { expect, it } from 'vitest';
import { codedBytes } from '../bitfields.ts';

it('detects a code that decodes to something else, even in one byte', () => {
  const bitfield = Uint8Array.of(1, 2, 3);
  const broken = (decoded: Uint8Array | undefined) =>
    codedBytes({ name: 'broken', encode: () => bitfield, decode: () => decoded } as never, bitfield, 24);
  expect(broken(bitfield)).toBe(3);
  for (const other of [undefined, Uint8Array.of(1, 2), Uint8Array.of(1, 2, 4), Uint8Array.of(9, 9, 9)])
    expect(() => broken(other)).toThrow('broken: a bitfield of 24 bits does not decode to itself');
});
