import { expect, it } from 'vitest';
import { fitLine } from './statistics.ts';

it('points on a line: that line, all variance explained', () => {
  const fit = fitLine([1, 2, 5, 9].map((x) => [x, 3 + 2 * x]));
  expect(fit).toMatchObject({
    slope: expect.closeTo(2, 12),
    intercept: expect.closeTo(3, 12),
    r2: expect.closeTo(1, 12),
  });
  expect(fit.at(100)).toBeCloseTo(203, 9);
});

it('a textbook sample (Anscombe, 1973, the first of his four): 3 + 0.5 x, R² 0.67', () => {
  const xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const fit = fitLine(xs.map((x, index) => [x, ys[index]!]));
  expect(fit.slope).toBeCloseTo(0.5, 3);
  expect(fit.intercept).toBeCloseTo(3, 2);
  expect(fit.r2).toBeCloseTo(0.667, 2);
});

it('points that do not rise or fall: a level line explains all there is', () => {
  expect(
    fitLine([
      [0, 4],
      [1, 4],
    ]),
  ).toMatchObject({ slope: 0, intercept: 4, r2: 1 });
});
