import { expect, test } from 'vitest';
import { loadBls, rehearsalMessage, rehearsalSecretKey, rehearsalSeed } from './index.ts';

test('rehearsalSeed gives 32 bytes that differ by purpose, seed and index, and never by run', () => {
  const seeds = [
    rehearsalSeed('a', 1, 2),
    rehearsalSeed('b', 1, 2),
    rehearsalSeed('a', 2, 2),
    rehearsalSeed('a', 1, 3),
  ];
  expect(new Set(seeds.map((seed) => seed.toString())).size).toBe(4);
  expect(seeds[0]).toHaveLength(32);
  expect(rehearsalSeed('a', 1, 2)).toEqual(seeds[0]);
});

test('rehearsalSecretKey gives the same keys on both curves, and they sign the rehearsal message', async () => {
  const [kernel, noble] = [await loadBls({ kernel: 'wasm' }), await loadBls({ kernel: 'noble' })];
  const secretKey = rehearsalSecretKey(kernel, 7, 0);
  expect(rehearsalSecretKey(noble, 7, 0)).toEqual(secretKey);
  const message = rehearsalMessage(7);
  expect(kernel.verify(kernel.publicKey(secretKey), message, kernel.sign(secretKey, message))).toBe(true);
});
