import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { groups, settingOf } from '../tests/fixtures.ts';
import { verifyBatch } from './batch.ts';
import { prove } from './prove.ts';
import type { ProvedStatement } from './readProof.ts';
import { statementOf } from './statement.ts';

describe.each(isWhole ? groups : groups.slice(0, 1))(
  'on $name, proofs verified in a batch (Horn: Aggregation using SNARKs)',
  (group) => {
    const count = 8;
    const setting = settingOf(group, 3);
    /** Statements with one, two and all three signers, so that proofs of different lengths are combined. */
    const signedBy = Array.from({ length: count }, (_, seed) =>
      Uint8Array.of(1 + seed, seed % 2 === 0 ? 3 : 0, seed % 4 === 0 ? 15 : 0),
    );
    const valid = Array.from({ length: count }, (_, seed): ProvedStatement => {
      const multiplicities = signedBy[seed]!;
      const statement = statementOf(setting, multiplicities);
      return { statement, proof: prove(setting, multiplicities, statement) };
    });
    /** Returns a well-formed proof of another statement. */
    const corrupted = (i: number): ProvedStatement => ({
      statement: valid[i]!.statement,
      proof: valid[(i + 4) % count]!.proof,
    });
    const batchWith = (bad: readonly number[]): ProvedStatement[] =>
      valid.map((one, i) => (bad.includes(i) ? corrupted(i) : one));

    test.each([
      [count, 1],
      [1, 1],
      [0, 0],
    ])('need one sum if all are valid, and none if there are none: %i proofs', (length, sums) => {
      expect(verifyBatch(setting, valid.slice(0, length))).toEqual({ invalid: [], sums });
    });

    test('with a single corrupted proof at any position need one or two further sums per halving', () => {
      for (const i of sampled([...valid.keys()], 3)) {
        const { invalid, sums } = verifyBatch(setting, batchWith([i]));
        expect(invalid).toEqual([i]);
        expect(sums).toBeGreaterThanOrEqual(1 + 3);
        expect(sums).toBeLessThanOrEqual(1 + 2 * 3);
      }
    });

    test('with any number of corrupted proofs need fewer than two sums per proof', () => {
      fc.assert(
        fc.property(fc.subarray([...valid.keys()]), (bad) => {
          const { invalid, sums } = verifyBatch(setting, batchWith(bad));
          expect(invalid).toEqual(bad);
          expect(sums).toBeLessThan(2 * count);
        }),
        { numRuns: isWhole ? 8 : 3 },
      );
    });

    test('need no sum if malformed, and are reported in the order of the batch', () => {
      const short = { statement: valid[3]!.statement, proof: valid[3]!.proof.subarray(1) };
      expect(verifyBatch(setting, valid.with(3, short))).toEqual({ invalid: [3], sums: 1 });
      expect(verifyBatch(setting, [short, short])).toEqual({ invalid: [0, 1], sums: 0 });
      expect(verifyBatch(setting, batchWith([0, 5]).with(3, short)).invalid).toEqual([0, 3, 5]);
    });

    test("do not cancel each other's errors: a key added in one and omitted in the other", () => {
      const wrong = [6, 4].map((first): ProvedStatement => {
        const statement = statementOf(setting, Uint8Array.of(first, 2, 7));
        return { statement, proof: prove(setting, Uint8Array.of(5, 2, 7), statement) };
      });
      expect(verifyBatch(setting, wrong).invalid).toEqual([0, 1]);
    });
  },
);
