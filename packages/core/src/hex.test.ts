import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromHex, toHex } from './bytes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('is two lower-case digits per byte, and decodes again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toHex(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('hex'));
      expect(fromHex(text, bytes.length)).toEqual(bytes);
    }),
  );
});

it('decodes an odd number of digits, another length or other characters to undefined, for any requested length', () => {
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
