import { describe, expect, it } from 'vitest';
import { callableOf, foreignErrorsOf, ownErrors } from '../../../tests/outcomes.ts';
import * as index from './index.ts';
import { insecureSecretKey, loadBls, roundVerdicts } from './index.ts';
import { loadG1 } from './kernel.ts';

/** Argument of arbitrary type, as passed by an untyped program. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;

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

it.each(callableOf(index))(ownErrors, async (_, one) => {
  expect(await foreignErrorsOf(one)).toEqual([]);
});
