import { loadBls } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../../tests/outcomes.ts';
import { isWhole } from '../../../tests/sampled.ts';
import { committeeKeys, groups, maxKeys, settingOf, someMultiplicities } from '../tests/fixtures.ts';
import { proofBytes } from './layout.ts';
import { prove } from './prove.ts';
import { statementOf } from './statement.ts';
import { verifyProof } from './verify.ts';

const bls = await loadBls();

test('a proof has two points and two per round, fifteen counts and two scalars: 1,660 bytes for a committee of 2^15', () => {
  expect(proofBytes(2 ** 15)).toBe(1660);
  expect(proofBytes(2 ** 15 - 1)).toBe(1660);
  expect(proofBytes(2 ** 14)).toBe(1660 - 2 * 48);
  expect(proofBytes(1)).toBe(2 * 48 + 60 + 64);
});

describe.each(isWhole ? groups : groups.slice(0, 1))(
  'on $name, a true statement has a proof (Horn: Aggregation using SNARKs)',
  (group) => {
    const isProved = (count: number, multiplicities: Uint8Array): boolean => {
      const setting = settingOf(group, count);
      const statement = statementOf(setting, multiplicities);
      const proof = prove(setting, multiplicities, statement);
      const signers = multiplicities.filter((multiplicity) => multiplicity !== 0).length;
      expect(proof).toHaveLength((2 + 2 * Math.ceil(Math.log2(signers))) * 48 + 60 + 64);
      return verifyProof(setting, { statement, proof });
    };

    test.each([1, 2, 3, 4, 5, 8, 13, 16, 17, 32, 63, 64, 65, 128, maxKeys])('for %i keys', (count) => {
      expect(isProved(count, someMultiplicities(count))).toBe(true);
    });

    test.each([
      ['all keys fifteen times', () => 15],
      ['the first key alone', (i: number) => (i === 0 ? 1 : 0)],
      ['the last key alone', (i: number, count: number) => (i === count - 1 ? 15 : 0)],
    ])('for multiplicities that take %s', (_, multiplicity) => {
      for (const count of [13, 16]) {
        const multiplicities = Uint8Array.from({ length: count }, (_, i) => multiplicity(i, count));
        expect(isProved(count, multiplicities)).toBe(true);
      }
    });

    test('for any multiplicities of any number of keys', () => {
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 1, maxLength: 20, max: 15 }), (multiplicities) => {
          fc.pre(multiplicities.some((multiplicity) => multiplicity !== 0));
          expect(isProved(multiplicities.length, multiplicities)).toBe(true);
        }),
        { numRuns: 20 },
      );
    });

    test('for equal keys, and for a key and its inverse', () => {
      const [key] = committeeKeys(1) as [Uint8Array];
      const inverse = Uint8Array.from(key);
      inverse[0]! ^= 0x20;
      for (const keys of [
        [key, key, key, key],
        [key, inverse, inverse, key],
      ]) {
        const setting = settingOf(group, 4, undefined, keys);
        for (const multiplicities of [Uint8Array.of(1, 1, 1, 1), Uint8Array.of(3, 3, 15, 2)]) {
          const statement = statementOf(setting, multiplicities);
          expect(verifyProof(setting, { statement, proof: prove(setting, multiplicities, statement) })).toBe(true);
        }
      }
    });

    test('the key of the statement equals the aggregate of each key as often as its multiplicity', () => {
      const multiplicities = someMultiplicities(13);
      const keys = committeeKeys(13).flatMap((key, i) => new Array<Uint8Array>(multiplicities[i]!).fill(key));
      expect(statementOf(settingOf(group, 13), multiplicities).key).toEqual(bls.aggregatePublicKeys(keys));
    });

    test.each([
      ['all 0', [0, 0, 0, 0], 'the largest in 1..15, got 0'],
      ['16', [1, 16, 0, 2], 'the largest in 1..15, got 16'],
      ['255', [255, 0, 0, 0], 'the largest in 1..15, got 255'],
      ['fewer than the keys', [0, 0, 0], '4 bytes, got 3 bytes'],
    ])('refuses multiplicities: %s', (_, bad, line) => {
      for (const make of [prove, statementOf])
        expect(() => make(settingOf(group, 4), Uint8Array.from(bad))).toThrow(`multiplicities: expected ${line}`);
    });
  },
);

test.each(groups)('a proof on $name has unchanged bytes, so that verifiers of every version accept it', (group) => {
  const setting = settingOf(group, 12);
  const multiplicities = Uint8Array.from({ length: 12 }, (_, index) => index);
  expect(digestOf([statementOf(setting, multiplicities), prove(setting, multiplicities)])).toBe('34584f304df4');
});
