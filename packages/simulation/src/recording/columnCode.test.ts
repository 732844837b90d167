import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Column, type ColumnCode, decodeColumn, encodeColumn } from './columnCode.ts';

const noTimes = new Int32Array(0);
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const time = fc.integer({ min: 0, max: 2 ** 31 - 1 });

function roundTrip(code: ColumnCode, column: Column, timeUs = noTimes): void {
  const bytes = encodeColumn('it', code, column, timeUs);
  expect(decodeColumn('it', code, column.length, bytes, timeUs)).toEqual(column);
}

test('every code decodes to the encoded column', () => {
  fc.assert(fc.property(fc.uint8Array(), (column) => roundTrip('bytes', column)));
  fc.assert(fc.property(fc.int32Array(), (column) => roundTrip('words', column)));
  fc.assert(fc.property(fc.float32Array(), (column) => roundTrip('floats', column)));
  fc.assert(fc.property(fc.array(int32), (values) => roundTrip('signed', Int32Array.from(values))));
  fc.assert(fc.property(fc.array(time), (values) => roundTrip('ascending', Int32Array.from(values).sort())));
  fc.assert(
    fc.property(fc.array(fc.tuple(time, fc.option(time, { nil: -1 }))), (pairs) => {
      const times = Int32Array.from(pairs, ([at, until]) => (until === -1 ? at : Math.min(at, until)));
      const untils = Int32Array.from(pairs, ([at, until]) => (until === -1 ? -1 : Math.max(at, until)));
      roundTrip('after', untils, times);
    }),
  );
  fc.assert(
    fc.property(fc.array(time), fc.array(fc.boolean()), (values, gaps) => {
      roundTrip(
        'places',
        Int32Array.from(Int32Array.from(values).sort(), (value, at) => (gaps[at] ? -1 : value)),
      );
    }),
  );
});

test('numbers are little-endian', () => {
  expect([...encodeColumn('it', 'words', Int32Array.of(1, -2), noTimes)]).toEqual([1, 0, 0, 0, 254, 255, 255, 255]);
  expect([...encodeColumn('it', 'floats', Float32Array.of(1), noTimes)]).toEqual([0, 0, 0x80, 0x3f]);
  expect([...encodeColumn('it', 'signed', Int32Array.of(0, -1, 1, 300), noTimes)]).toEqual([0, 1, 2, 0xd8, 4]);
});

test('refuses a column that its code cannot represent', () => {
  const refusal = (code: ColumnCode, values: number[], times: number[] = []) =>
    expect(() => encodeColumn('it', code, Int32Array.from(values), Int32Array.from(times))).toThrow(RangeError);
  refusal('ascending', [2, 1]);
  refusal('ascending', [-1]);
  refusal('after', [4], [5]);
  refusal('after', [-2], [0]);
  refusal('places', [3, -1, 2]);
  refusal('places', [-2]);
});

describe('refuses invalid bytes of a column:', () => {
  const refusal = (code: ColumnCode, count: number, bytes: number[], times: number[] = []) =>
    expect(() => decodeColumn('it', code, count, Uint8Array.from(bytes), Int32Array.from(times))).toThrow(
      /^it: expected/,
    );
  test('too few', () => {
    refusal('bytes', 2, [1]);
    refusal('words', 1, [1, 2, 3]);
    refusal('signed', 2, [1]);
    refusal('signed', 1, [0x80]);
    refusal('signed', 2, [0x80, 0x80]);
  });
  test('too many', () => {
    refusal('bytes', 0, [1]);
    refusal('floats', 1, [1, 2, 3, 4, 5]);
    refusal('signed', 1, [1, 1]);
  });
  test('a varint over 32 bits', () => {
    refusal('signed', 1, [0x80, 0x80, 0x80, 0x80, 0x10]);
    refusal('signed', 1, [0x80, 0x80, 0x80, 0x80, 0x80, 0]);
  });
  test('a sum over 31 bits', () => {
    const largest = [0xff, 0xff, 0xff, 0xff, 0x07];
    refusal('ascending', 2, [...largest, 1]);
    refusal('places', 2, [...largest, 3]);
    refusal('after', 1, largest, [2]);
  });
  test('a wrong count uses no memory', () => refusal('signed', 2 ** 31 - 1, [0]));
});
