import { expect, test } from 'vitest';
import { insecureSecretKey, insecureSeed, loadBls, testMessage } from './index.ts';

test('insecureSeed returns 32 bytes that depend on purpose, seed and index only', () => {
  const seeds = [insecureSeed('a', 1, 2), insecureSeed('b', 1, 2), insecureSeed('a', 2, 2), insecureSeed('a', 1, 3)];
  expect(new Set(seeds.map((seed) => seed.toString())).size).toBe(4);
  expect(seeds[0]).toHaveLength(32);
  expect(insecureSeed('a', 1, 2)).toEqual(seeds[0]);
});

test('insecureSecretKey returns the same keys on both curves, and they sign the test message', async () => {
  const [kernel, noble] = [await loadBls({ engine: 'wasm' }), await loadBls({ engine: 'noble' })];
  const secretKey = insecureSecretKey(kernel, 7, 0);
  expect(insecureSecretKey(noble, 7, 0)).toEqual(secretKey);
  const message = testMessage(7);
  expect(kernel.verify(kernel.publicKey(secretKey), message, kernel.sign(secretKey, message))).toBe(true);
});
