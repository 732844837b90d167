import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import { loadPixel, signatureTime } from '../src/index.ts';

/** Arguments of any type, as an untyped program may pass them. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;
const reference = await loadPixel({ engine: 'noble', suite: 'reference' });
const committee = reference.committee.bind(reference);
const key = reference.keyGen(new Uint8Array(32)).publicKey;

it.each<[string, () => unknown, string]>([
  ['no options', call(loadPixel, null), 'options: expected an object, got null'],
  ['the period of no signature', call(signatureTime), 'bytes: expected a Uint8Array, got undefined'],
  ['the period of two bytes', call(signatureTime, new Uint8Array(2)), 'bytes: expected 5 bytes or more, got 2 bytes'],
  ['keys of no list', call(committee), 'publicKeys: expected an array of Uint8Array, got undefined'],
  ['no keys', call(committee, []), 'publicKeys: expected at least one item, got an array of 0'],
  [
    'a signature at no period',
    () => reference.committee([key]).verify('1' as Anything, key, key),
    'time: expected an integer from 1 to 4294967295, got string',
  ],
])('refuses %s in one line', (_, act, line) => {
  expect(act).toThrow(expect.objectContaining({ message: line }));
});

it('refuses an unknown option', () => {
  expect(() => loadPixel({ kernal: 'noble' } as object)).toThrow(/^options: expected no fields but .*, got "kernal"$/);
});

/**
 * Creates bytes from another realm, as Jest's jsdom does for tested code. In this realm, these bytes are not an
 * instance of Uint8Array.
 */
const foreign: (bytes: Uint8Array) => Uint8Array = runInContext('(bytes) => Uint8Array.from(bytes)', createContext({}));

it('accepts bytes of another realm as seeds, keys, messages and signatures', async () => {
  const pixel = await loadPixel();
  const { publicKey, secretKey } = pixel.keyGen(foreign(new Uint8Array(32)));
  const message = Uint8Array.of(17);
  const signature = pixel.sign(foreign(secretKey), foreign(message));
  expect(pixel.verify(foreign(publicKey), 1, foreign(message), foreign(signature))).toBe(true);
});
