import { readFileSync } from 'node:fs';
import { defaultScenario, type Scenario } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batches, estimatedCostMs } from './cost.ts';
import type { SweepPoint } from './point.ts';

const point = (nodes: number, index: number): SweepPoint => ({
  key: `${index}`,
  scenario: { ...defaultScenario, nodes },
});

it('batches contain every point once, the longest first, with the minimum size', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4096 }), { maxLength: 300 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 500 }), (sizes, targetMs) => {
      const points = sizes.map(point);
      const made = batches(points, targetMs);
      const inOrder = made.flatMap((batch) => batch.points);
      expect(new Set(inOrder)).toEqual(new Set(points));
      expect(inOrder).toHaveLength(points.length);
      const costs = inOrder.map(({ scenario }) => estimatedCostMs(scenario));
      expect(costs).toEqual(costs.toSorted((a, b) => b - a));
      for (const batch of made) {
        expect(batch.points.length).toBeLessThanOrEqual(100);
        const allButLast = sum(batch.points.slice(0, -1).map(({ scenario }) => estimatedCostMs(scenario)));
        expect(allButLast).toBeLessThan(targetMs);
      }
    }),
  );
});

/** Measured times: the fields in which a scenario differs from the default, and one CPU time per seed. */
type MeasuredTimes = { figure: string; scenario: Partial<Scenario>; cpuMs: number[] };

const recorded = readFileSync(new URL('../../../../tests/vectors/run-times.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const { figure, scenario, cpuMs } = JSON.parse(line) as MeasuredTimes;
    const costMs = estimatedCostMs({ ...defaultScenario, ...scenario });
    return cpuMs.map((tookMs) => ({ figure, costMs, tookMs }));
  });
const figures = [...new Set(recorded.map(({ figure }) => figure))];

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

const ofFigure = (name: string) => recorded.filter(({ figure }) => figure === name);

/** Returns the total time estimated after each run, with the longest runs first, as a ratio to the actual time. */
function estimatedOverTaken(runs: typeof recorded): number[] {
  const longestFirst = [...runs].sort((a, b) => b.costMs - a.costMs);
  const takenMs = sum(runs.map(({ tookMs }) => tookMs));
  let [elapsedMs, costDone, costLeft] = [0, 0, sum(runs.map(({ costMs }) => costMs))];
  return longestFirst.map(({ tookMs, costMs }) => {
    elapsedMs += tookMs;
    costDone += costMs;
    costLeft -= costMs;
    return (elapsedMs + (elapsedMs * costLeft) / costDone) / takenMs;
  });
}

describe('estimatedCostMs', () => {
  it.each([['all figures', recorded] as const, ...figures.map((one) => [one, ofFigure(one)] as const)])(
    'estimates the time of %s within a factor of 1.5, from the fifth run to the last',
    (_, runs) => {
      for (const ratio of estimatedOverTaken(runs).slice(4)) expect(Math.max(ratio, 1 / ratio)).toBeLessThan(1.5);
    },
  );

  it('is compared with the times of every kind of run', () => {
    expect(recorded).toHaveLength(592);
    expect(figures.length).toBeGreaterThan(25);
  });

  it('counts Byzantine nodes like absent ones, because levels remain incomplete with both', () => {
    const base = { ...defaultScenario, nodes: 256 };
    const dead = estimatedCostMs({ ...base, dead: 0.3 });
    expect(estimatedCostMs({ ...base, attacks: [{ name: 'silent', share: 0.3 }] })).toBe(dead);
  });
});
