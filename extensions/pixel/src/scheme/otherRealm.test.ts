import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import { loadPixel } from '../index.ts';

/**
 * Creates bytes of another realm, which are not instances of this realm's Uint8Array. Jest's jsdom passes such bytes to
 * code under test.
 */
const of: (bytes: Uint8Array) => Uint8Array = runInContext('(bytes) => Uint8Array.from(bytes)', createContext({}));
const seed = new Uint8Array(32).fill(7);
const message = new TextEncoder().encode('block 17');

it('bytes of another realm are accepted as keys, messages and signatures', async () => {
  const pixel = await loadPixel();
  const { publicKey, secretKey } = pixel.keyGen(of(seed));
  const signature = pixel.sign(of(secretKey), of(message));
  expect(pixel.verify(of(publicKey), 1, of(message), of(signature))).toBe(true);
});
