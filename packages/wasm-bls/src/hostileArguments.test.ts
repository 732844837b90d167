import { describe, expect, it } from 'vitest';
import * as index from './index.ts';
import { insecureSecretKey, loadBls, roundVerdicts } from './index.ts';
import { loadG1 } from './kernel.ts';

/** Argument of arbitrary type, as passed by an untyped program. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;
const make = (what: Anything, ...args: Anything[]) => (() => new what(...args)) as () => unknown;

const bls = await loadBls({ engine: 'noble' });
const key = bls.publicKey(insecureSecretKey(bls, 1, 0));
const { point } = bls.validatePublicKey(key) as { point: Uint8Array };
const signed = Uint8Array.of(1);

describe('an invalid argument throws one line that names the argument, the expected value and the received value', () => {
  it.each<[string, () => unknown, string]>([
    ['verdicts on no round', call(roundVerdicts, undefined, []), 'round: expected an object, got undefined'],
    ['verdicts on no list', call(roundVerdicts, { readClaims() {} }, 7), 'claims: expected an array of claims, got 7'],
    [
      'an invalid claim',
      () => bls.round([point], signed).readClaims([null as Anything]),
      'claims[0]: expected an object, got null',
    ],
  ])('%s', (_, hostile, line) => {
    expect(hostile).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^(Type|Range)Error$/), message: line }),
    );
  });

  it.each([
    ['loadBls', loadBls],
    ['loadG1', loadG1],
  ])('%s with no options', async (_, load: Anything) => {
    await expect(load(null)).rejects.toThrow(new TypeError('options: expected an object, got null'));
  });
});

const hostileArguments = [[], [null], [7], ['x'], [{}], [[]], [() => 0]];

describe('every function and class of the package', () => {
  const callable = Object.entries(index).filter(([, one]) => typeof one === 'function');

  it.each(callable)(
    '%s accepts or refuses any argument with its own error, never with an error of the JavaScript engine',
    async (_, one) => {
      const isClass = Function.prototype.toString.call(one).startsWith('class');
      for (const args of hostileArguments) {
        try {
          await (isClass ? make(one, ...args)() : call(one, ...args)());
        } catch (error) {
          expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]+: expected [^\n]+, got [^\n]+$/) });
        }
      }
    },
  );
});
