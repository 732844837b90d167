import { expect, it } from 'vitest';
import { differenceFromPublished } from './deployment.ts';
import type { DrawnSeries } from './figure.ts';
import { timeMs } from './measures.ts';

const at = (x: number, mean: number) => ({ x, min: mean, mean, max: mean });
const series = (...means: [x: number, mean: number][]): DrawnSeries => ({
  name: 'Handel',
  measure: timeMs,
  samples: [],
  published: [at(1, 617), at(49, 751)],
  points: means.map(([x, mean]) => ({ x, y: at(x, mean), interval: undefined, live: 1, reached: 1, runs: [] })),
});
const failing = (percent: string) => `with ${percent} % failing`;

it('names the mean with the largest difference from the published one, from a quarter on', () => {
  expect(differenceFromPublished(series([1, 700], [49, 1104]), failing)).toBe(
    'with 49 % failing the mean is 47 % above the published mean',
  );
  expect(differenceFromPublished(series([1, 300], [49, 1000]), failing)).toBe(
    'with 1 % failing the mean is 51 % below the published mean',
  );
});

it('is empty for small differences and without published values', () => {
  expect(differenceFromPublished(series([1, 700], [49, 900], [25, 5000]), failing)).toBeUndefined();
});
