import { expect, it } from 'vitest';
import { simulateLab } from '../goReference/labScenario.ts';
import { calibratedScenario } from './calibratedModel.ts';
import { published, publishedPoints } from './published.ts';

it('v1.03 7: agrees with the published means of figures 3, 4 and 6 within 25 % at 100, 500 and 1000 nodes', () => {
  for (const row of published.handel.filter(({ nodes }) => nodes <= 1000)) {
    const { untilThreshold, reached } = simulateLab(calibratedScenario(row.nodes), { checkers: row.nodes === 100 });
    expect(reached).toBe(row.nodes);
    for (const [name, ours, theirs] of [
      ['time', untilThreshold.timeMs, row.timeMs],
      ['bytes', untilThreshold.bytesSent, row.sentBytes],
      ['checks', untilThreshold.checked, row.signaturesChecked!],
    ] as const)
      expect(Math.abs(ours.mean / theirs[1] - 1), `${name} at ${row.nodes}`).toBeLessThan(0.25);
  }
});

it('v1.03 7: predicts within 15 % the times to 51 and 75 % of 1000 nodes, which were not used for calibration', () => {
  for (const row of [published.handelTo51, published.handelTo75].flat().filter(({ nodes }) => nodes === 1000)) {
    const { timeMs } = simulateLab(calibratedScenario(row.nodes, { threshold: row.threshold })).untilThreshold;
    expect(Math.abs(timeMs.mean / row.timeMs[1] - 1), `to ${row.threshold}`).toBeLessThan(0.15);
  }
});

it('every row has minimum, mean and maximum in this order', () => {
  for (const rows of Object.values(published)) {
    for (const quantity of ['timeMs', 'sentBytes', 'signaturesChecked'] as const) {
      for (const { min, mean, max } of publishedPoints(rows, quantity))
        expect(mean).toSatisfy(() => min <= mean && mean <= max);
    }
  }
});
