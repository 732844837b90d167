import { expect, it } from 'vitest';
import { published, publishedMean, publishedPoints } from './published.ts';

it('v1.03 1.3 and abstract: 4000 nodes take about 900 ms and about 56 kB per node', () => {
  expect(publishedMean(published.handel, 'timeMs', 4000)).toBeCloseTo(931.6, 6);
  expect(publishedMean(published.handel, 'sentBytes', 4000) / 56_000).toBeCloseTo(1, 1);
});

it('v1.03 7.4: some nodes check around 30 signatures at 4000 nodes, far fewer than the maximum', () => {
  const { min, mean, max } = publishedPoints(published.handel, 'signaturesChecked').at(-1)!;
  expect([min, mean, max]).toEqual([36, 61.83, 94]);
});

it('v1.03 7.2: the complete graph costs orders of magnitude more', () => {
  const [graph, handel] = [published.completeGraph, published.handel].map((rows) =>
    publishedMean(rows, 'sentBytes', 4000),
  );
  expect(graph! / handel!).toBeGreaterThan(100);
});

it('every row has minimum, mean and maximum in this order', () => {
  for (const rows of Object.values(published)) {
    for (const quantity of ['timeMs', 'sentBytes', 'signaturesChecked'] as const) {
      for (const { min, mean, max } of publishedPoints(rows, quantity)) {
        expect(min).toBeLessThanOrEqual(mean);
        expect(mean).toBeLessThanOrEqual(max);
      }
    }
  }
});

it('refuses a size that was not published', () => {
  expect(() => publishedMean(published.handel, 'timeMs', 64)).toThrow(
    'nodes: expected 100 or 500 or 1000 or 2000 or 4000, got 64',
  );
});
