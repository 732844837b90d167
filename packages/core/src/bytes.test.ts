import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromHex, popcount, readUint, toHex, writeUint } from './bytes.ts';

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

it('counts the one bits of 32-bit integers, signed or unsigned', () => {
  const count = (value: number): number => [...(value >>> 0).toString(2)].filter((digit) => digit === '1').length;
  for (const value of [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 0x55555555, 0xaaaaaaaa])
    expect(popcount(value), String(value)).toBe(count(value));
  fc.assert(
    fc.property(fc.integer(), (value) => {
      expect(popcount(value)).toBe(count(value));
    }),
    { numRuns: 1000 },
  );
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('toHex writes two lower-case digits per byte, which fromHex reads', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toHex(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('hex'));
      expect(fromHex(text, bytes.length)).toEqual(bytes);
    }),
  );
});

it('fromHex reads an odd number of digits, another length or other characters as undefined, for any requested length', () => {
  for (const text of ['a', 'abc', 'xy', '0x', ' 00', '٠٠', undefined, 7, ['00']])
    for (const length of [undefined, 0, 0.5, 1, 1.5, Number.NaN]) expect(fromHex(text, length)).toBe(undefined);
  expect([fromHex('00ff', 1), fromHex('00ff', 1.5)]).toEqual([undefined, undefined]);
  expect([fromHex('00FF'), fromHex('')]).toEqual([Uint8Array.of(0, 255), new Uint8Array()]);
});

it('a stored hash takes little more memory than its digits', () => {
  const hash = new Uint8Array(32);
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  const names = Array.from({ length: 20_000 }, (_, number) => {
    new DataView(hash.buffer).setUint32(0, number);
    return toHex(hash);
  });
  expect((held() - before) / names.length).toBeLessThan(200);
  expect(new Set(names).size).toBe(20_000);
});
