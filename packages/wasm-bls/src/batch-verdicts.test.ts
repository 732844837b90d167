import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchVerdicts } from './batch-verdicts.ts';

/** Verdicts on claims that are their own validity, the sizes of the checks that it took, and their cost in single verifications. */
function judged(claims: readonly boolean[]) {
  const sizes: number[] = [];
  const verdicts = batchVerdicts(claims, (part) => {
    sizes.push(part.length);
    return part.every((valid) => valid);
  });
  const cost = sizes.reduce((sum, size) => sum + (size === 1 ? 1 : 1 + size / 8), 0);
  return { verdicts, sizes, cost };
}

const validBut = (size: number, invalid: readonly number[]): boolean[] =>
  Array.from({ length: size }, (_, i) => !invalid.includes(i));

const SIZES = [1, 2, 3, 4, 5, 8, 13, 16, 17, 31, 32, 33, 64, 257];

describe('batchVerdicts', () => {
  test('checks nothing for no claims', () => expect(judged([])).toEqual({ verdicts: [], sizes: [], cost: 0 }));

  test.each(SIZES)('checks %i valid claims once', (size) => {
    const { verdicts, sizes } = judged(validBut(size, []));
    expect(verdicts).toEqual(validBut(size, []));
    expect(sizes).toEqual([size]);
  });

  test.each(SIZES)('finds one invalid among %i, at each place, by halving', (size) => {
    for (let place = 0; place < size; place++) {
      const claims = validBut(size, [place]);
      const { verdicts, sizes } = judged(claims);
      expect(verdicts).toEqual(claims);
      expect(sizes.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(size)));
    }
  });

  test('finds two and three liars among many in some 2 log2(n) checks each', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 32, max: 1024 }).chain((size) =>
          fc.record({
            size: fc.constant(size),
            invalid: fc.uniqueArray(fc.nat(size - 1), { minLength: 2, maxLength: 3 }),
          }),
        ),
        ({ size, invalid }) => {
          const claims = validBut(size, invalid);
          const { verdicts, sizes } = judged(claims);
          expect(verdicts).toEqual(claims);
          expect(sizes.length).toBeLessThanOrEqual(1 + 2 * invalid.length * Math.ceil(Math.log2(size)));
        },
      ),
      { seed: 1998, numRuns: 300 },
    );
  });

  test('is right whatever the claims, and never dearer than one by one, half again and four', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (claims) => {
        const { verdicts, cost } = judged(claims);
        expect(verdicts).toEqual(claims);
        expect(cost).toBeLessThanOrEqual(1.5 * claims.length + 4);
      }),
      { seed: 1998, numRuns: 1000 },
    );
  });

  test.each(SIZES)('keeps its bound when %i claims are all invalid, or every second one', (size) => {
    for (const step of [1, 2, 3, 4, 8]) {
      const claims = Array.from({ length: size }, (_, i) => i % step !== 0);
      const { verdicts, cost } = judged(claims);
      expect(verdicts).toEqual(claims);
      expect(cost).toBeLessThanOrEqual(1.5 * size + 4);
    }
  });

  test('lets the check hold none but consecutive claims, in their order', () => {
    batchVerdicts([0, 1, 2, 3, 4, 5, 6], (part) => {
      expect(part).toEqual(part.map((_, i) => part[0]! + i));
      return !part.includes(3);
    });
  });
});
