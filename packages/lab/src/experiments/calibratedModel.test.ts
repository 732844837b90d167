import { validateScenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { simulateLab } from '../goReference/labScenario.ts';
import { calibratedParameters, calibratedScenario } from './calibratedModel.ts';
import { published } from './published.ts';

it('is a valid scenario of any size, for any protocol, and accepts changes', () => {
  for (const nodes of [1, 2, 13, 100, 4000]) validateScenario(calibratedScenario(nodes));
  for (const protocol of ['complete-graph', 'san-fermin', 'gossip'] as const) {
    validateScenario(calibratedScenario(100, { protocol }));
  }
  expect(calibratedScenario(64, { seed: 7, periodMs: 50 })).toMatchObject({ nodes: 64, seed: 7, periodMs: 50 });
});

it('slower machines take longer', () => {
  const timeMs = (machineFactor: number): number =>
    simulateLab(calibratedScenario(100, {}, { ...calibratedParameters, machineFactor })).untilThreshold.timeMs.mean;
  expect(timeMs(3)).toBeGreaterThan(1.2 * timeMs(1.5));
});

it('v1.03 7: agrees with the published means of figures 3, 4 and 6 within 25 % at 100, 500 and 1000 nodes', () => {
  for (const row of published.handel.filter(({ nodes }) => nodes <= 1000)) {
    const { untilThreshold, reached } = simulateLab(calibratedScenario(row.nodes), { checkers: row.nodes === 100 });
    expect(reached).toBe(row.nodes);
    for (const [name, ours, theirs] of [
      ['time', untilThreshold.timeMs, row.timeMs],
      ['bytes', untilThreshold.bytesSent, row.sentBytes],
      ['checks', untilThreshold.checked, row.signaturesChecked!],
    ] as const) {
      const ratio = ours.mean / theirs[1];
      expect(ratio, `${name} at ${row.nodes}`).toBeGreaterThan(0.75);
      expect(ratio, `${name} at ${row.nodes}`).toBeLessThan(1.25);
    }
  }
});

it('v1.03 7: predicts within 15 % the times to 51 and 75 % of 1000 nodes, which were not used for calibration', () => {
  for (const row of [published.handelTo51, published.handelTo75].flat().filter(({ nodes }) => nodes === 1000)) {
    const { timeMs } = simulateLab(calibratedScenario(row.nodes, { threshold: row.threshold })).untilThreshold;
    const ratio = timeMs.mean / row.timeMs[1];
    expect(ratio, `to ${row.threshold}`).toBeGreaterThan(0.85);
    expect(ratio, `to ${row.threshold}`).toBeLessThan(1.15);
  }
});
