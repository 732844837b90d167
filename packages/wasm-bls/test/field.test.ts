import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { loadBls } from '../src/index.ts';
import { cyclotomicCheck, kernelAnswer, limits, operations, p, towerEdgesCheck, towerOperations } from './field.mjs';
import { drawing } from './fuzz.mjs';

await loadBls({ engine: 'wasm' });

const seeded = { seed: 20_261_122, numRuns: isWhole ? 300 : 100 };
const coordinate = fc.oneof(fc.constantFrom(...limits), fc.bigInt({ min: 0n, max: p - 1n }));

for (const { name, expected } of operations) {
  describe(`${name}, against big integers`, () => {
    test('is correct for values at their limits, each with a few of the others', () => {
      for (const [i, a] of limits.entries()) {
        for (const step of isWhole ? [0, 1, 7, 31] : [0, 7]) {
          const [b, c] = [limits[(i + step) % limits.length]!, limits[(i + 3 * step) % limits.length]!];
          expect(kernelAnswer(name, [a], [b])).toEqual(expected([a], [b]));
          expect(kernelAnswer(name, [a, b], [b, c])).toEqual(expected([a, b], [b, c]));
        }
      }
    });

    test.each([1, 2])('is correct for any values of %i coordinates', (length) => {
      const element = fc.array(coordinate, { minLength: length, maxLength: length });
      fc.assert(
        fc.property(element, element, (a, b) => {
          expect(kernelAnswer(name, a, b)).toEqual(expected(a, b));
        }),
        seeded,
      );
    });
  });
}

describe('Fp12, against big integers', () => {
  test('is correct for coordinates at their limits', () => {
    towerEdgesCheck();
  });

  test.each(towerOperations)('$name is correct for any values', ({ name, expected }) => {
    const element = fc.array(coordinate, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(element, element, (a, b) => {
        expect(kernelAnswer(name, a, b)).toEqual(expected(a, b));
      }),
      { ...seeded, numRuns: isWhole ? 100 : 30 },
    );
  });

  test("the square in the cyclotomic subgroup equals noble-curves' square", () => {
    const draw = drawing(11);
    for (let i = 0; i < 4; i++) cyclotomicCheck(draw);
  });
});
