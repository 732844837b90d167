import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from './byteCode.ts';

const edges = [
  0,
  1,
  127,
  128,
  16_383,
  16_384,
  2 ** 28,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 41 + 3,
  2 ** 53 - 1,
];

/** Reference implementation of LEB128 with big integers. */
function leb128(value: bigint): number[] {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return bytes;
}

test('varint() is LEB128 for every safe integer', () => {
  const check = (value: number) => {
    const writer = new ByteWriter(1);
    writer.varint(value);
    expect([...writer.take()]).toEqual(leb128(BigInt(value)));
  };
  edges.forEach(check);
  fc.assert(fc.property(fc.maxSafeNat(), check));
});

test('uint32() is little-endian, and take() starts a new buffer', () => {
  const writer = new ByteWriter(1);
  writer.uint32(0x01020304);
  writer.uint32(-2);
  writer.append(Uint8Array.of(7, 8));
  writer.byte(9);
  expect(writer.length).toBe(11);
  expect([...writer.take()]).toEqual([4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff, 7, 8, 9]);
  writer.byte(1);
  expect([...writer.take()]).toEqual([1]);
});
