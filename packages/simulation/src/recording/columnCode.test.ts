import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, type ColumnCode, decodeColumn, encodeColumn } from './columnCode.ts';

const noTimes = new Int32Array(0);
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const time = fc.integer({ min: 0, max: 2 ** 31 - 1 });

function roundTrip(code: ColumnCode, column: Column, timeUs = noTimes): void {
  expect(decodeColumn('it', code, column.length, encodeColumn('it', code, column, timeUs), timeUs)).toEqual(column);
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

test.each<[ColumnCode, values: number[], times?: number[]]>([
  ['ascending', [2, 1]],
  ['ascending', [-1]],
  ['after', [4], [5]],
  ['after', [-2], [0]],
  ['places', [3, -1, 2]],
  ['places', [-2]],
])('refuses a column that its code cannot represent: %s of %j', (code, values, times = []) => {
  expect(() => encodeColumn('it', code, Int32Array.from(values), Int32Array.from(times))).toThrow(RangeError);
});

const largest = [0xff, 0xff, 0xff, 0xff, 0x07];

test.each<[string, ColumnCode, count: number, bytes: number[], times?: number[]]>([
  ['too few', 'bytes', 2, [1]],
  ['too few', 'words', 1, [1, 2, 3]],
  ['too few', 'signed', 2, [1]],
  ['too few', 'signed', 1, [0x80]],
  ['too few', 'signed', 2, [0x80, 0x80]],
  ['too many', 'bytes', 0, [1]],
  ['too many', 'floats', 1, [1, 2, 3, 4, 5]],
  ['too many', 'signed', 1, [1, 1]],
  ['a varint over 32 bits', 'signed', 1, [0x80, 0x80, 0x80, 0x80, 0x10]],
  ['a varint over 32 bits', 'signed', 1, [0x80, 0x80, 0x80, 0x80, 0x80, 0]],
  ['a sum over 31 bits', 'ascending', 2, [...largest, 1]],
  ['a sum over 31 bits', 'places', 2, [...largest, 3]],
  ['a sum over 31 bits', 'after', 1, largest, [2]],
  ['a count that would use much memory', 'signed', 2 ** 31 - 1, [0]],
])('refuses invalid bytes of a column: %s, as %s', (_what, code, count, bytes, times = []) => {
  expect(() => decodeColumn('it', code, count, Uint8Array.from(bytes), Int32Array.from(times))).toThrow(
    /^it: expected/,
  );
});
