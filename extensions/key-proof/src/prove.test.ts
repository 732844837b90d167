import { loadBls } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

    /** Cases that take a library at least one second run only in CI. */
    const most = isWhole || group.name === 'blst-wasm' ? maxKeys : 32;

    test.each([1, 2, 4, 8, 16, 32, 64, 128, maxKeys].filter((count) => count <= most))('for %i keys', (count) => {
      expect(isProved(count, someMultiplicities(count))).toBe(true);
    });

    test.each([3, 5, 13, 17, 63, 65].filter((count) => count <= most))(
      'for %i keys, which is not a power of two',
      (count) => {
        expect(isProved(count, someMultiplicities(count))).toBe(true);
      },
    );

    test.each([
      ['all of them fifteen times', () => 15],
      ['the first alone', (i: number) => (i === 0 ? 1 : 0)],
      ['the last alone', (i: number) => (i === 12 ? 15 : 0)],
    ])('for multiplicities that take %s', (_, multiplicity) => {
      expect(
        isProved(
          13,
          Uint8Array.from({ length: 13 }, (_, i) => multiplicity(i)),
        ),
      ).toBe(true);
      expect(
        isProved(
          16,
          Uint8Array.from({ length: 16 }, (_, i) => multiplicity(i)),
        ),
      ).toBe(true);
    });

    test('for any multiplicities of any number of keys', () => {
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 1, maxLength: 20, max: 15 }), (multiplicities) => {
          fc.pre(multiplicities.some((multiplicity) => multiplicity !== 0));
          expect(isProved(multiplicities.length, multiplicities)).toBe(true);
        }),
        { numRuns: most === maxKeys ? 20 : 5 },
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
        const setting = { ...settingOf(group, 4, undefined, keys) };
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

    test('requires one multiplicity per key', () => {
      expect(() => prove(settingOf(group, 4), new Uint8Array(3))).toThrow(
        'multiplicities: expected 4 bytes, got 3 bytes',
      );
    });

    test('refuses multiplicities that are all 0, or one over 15', () => {
      for (const [bad, got] of [
        [Uint8Array.of(0, 0, 0, 0), 0],
        [Uint8Array.of(1, 16, 0, 2), 16],
        [Uint8Array.of(255, 0, 0, 0), 255],
      ] as const)
        for (const make of [prove, statementOf])
          expect(() => make(settingOf(group, 4), bad)).toThrow(
            `multiplicities: expected the largest in 1..15, got ${got}`,
          );
    });
  },
);

test('the same multiplicities have the same proof with either library', () => {
  const multiplicities = someMultiplicities(13);
  const proofs = groups.map((group) => prove(settingOf(group, 13), multiplicities));
  for (const proof of proofs) expect(proof).toEqual(proofs[0]);
  expect(prove(settingOf(groups[0]!, 13), multiplicities)).toEqual(proofs[0]);
});
