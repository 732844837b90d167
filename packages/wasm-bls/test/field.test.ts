import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadBls } from '../src/index.ts';
import { edges, kernelAnswer, operations, p } from './field.mjs';

await loadBls({ kernel: 'wasm' });

const seeded = { seed: 20_261_122, numRuns: 300 };
const limits = edges();
const coordinate = fc.oneof(fc.constantFrom(...limits), fc.bigInt({ min: 0n, max: p - 1n }));

for (const { name, expected } of operations) {
  describe(`${name}, against big integers`, () => {
    test('is right of values at their limits, each with a few of the others', () => {
      for (const [i, a] of limits.entries()) {
        for (const step of [0, 1, 7, 31]) {
          const b = limits[(i + step) % limits.length]!;
          expect(kernelAnswer(name, [a], [b])).toEqual(expected([a], [b]));
          const [x, y] = [
            [a, b],
            [b, limits[(i + 3 * step) % limits.length]!],
          ];
          expect(kernelAnswer(name, x!, y!)).toEqual(expected(x!, y!));
        }
      }
    });

    test.each([1, 2])('is right of any values of %i coordinates', (length) => {
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

test('an operation of another name answers nothing', () => {
  expect(kernelAnswer('none', [1n], [1n])).toEqual([]);
});
