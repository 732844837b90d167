import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ringOf } from '../../tests/rings.ts';
import { identityKeyGen, linkable } from '../ring.ts';

/**
 * Creates bytes of another realm, which are not instances of this realm's Uint8Array. Jest's jsdom environment passes
 * such bytes to tests.
 */
const of: (bytes: Uint8Array) => Uint8Array = runInContext('(bytes) => Uint8Array.from(bytes)', createContext({}));
const seed = new Uint8Array(32).fill(7);
const message = new TextEncoder().encode('block 17');
const tag = new TextEncoder().encode('a tag');

it('bytes of another realm are accepted as keys, events, messages and signatures', () => {
  const keys = [1, 2].map((fill) => identityKeyGen(of(new Uint8Array(32).fill(fill))));
  const ring = ringOf(keys.map((key) => ({ ...key, publicKey: of(key.publicKey) })));
  const signed = linkable.sign(ring, of(keys[1]!.secretKey), of(tag), of(message), of(seed));
  expect(linkable.verify(ring, of(tag), of(message), of(signed)).ok).toBe(true);
});
