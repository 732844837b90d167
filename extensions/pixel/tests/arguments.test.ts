import { expect, it } from 'vitest';
import { loadPixel, signatureTime } from '../src/index.ts';

/** Arguments of any type, as an untyped program may pass them. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;
const signed = Uint8Array.of(1);
const reference = await loadPixel({ engine: 'noble', suite: 'reference' });
const key = reference.keyGen(new Uint8Array(32)).publicKey;

it.each<[string, () => unknown, string]>([
  ['no options', call(loadPixel, null), 'options: expected an object, got null'],
  ['the period of no signature', call(signatureTime), 'bytes: expected a Uint8Array, got undefined'],
  ['the period of two bytes', call(signatureTime, new Uint8Array(2)), 'bytes: expected 5 bytes or more, got 2 bytes'],
  [
    'keys of no list',
    call(reference.committee.bind(reference)),
    'publicKeys: expected an array of Uint8Array, got undefined',
  ],
  [
    'no keys',
    call(reference.committee.bind(reference), []),
    'publicKeys: expected at least one item, got an array of 0',
  ],
  [
    'a signature at no period',
    () => reference.committee([key]).verify('1' as Anything, signed, signed),
    'time: expected an integer from 1 to 4294967295, got string',
  ],
])('refuses %s in one line', (_, act, line) => {
  expect(act).toThrow(expect.objectContaining({ message: line }));
});

it('refuses an unknown option', () => {
  expect(() => loadPixel({ kernal: 'noble' } as object)).toThrow(/^options: expected no fields but .*, got "kernal"$/);
});
