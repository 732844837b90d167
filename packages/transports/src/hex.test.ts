import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromHex, toHex } from './hex.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('is two lower-case digits a byte, and is read again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toHex(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('hex'));
      expect(fromHex(text, bytes.length)).toEqual(bytes);
    }),
  );
});

it('a hash that is kept takes little more than its digits', () => {
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
