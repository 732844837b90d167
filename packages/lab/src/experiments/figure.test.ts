import { defaultScenario, type Scenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { differenceFromPublished } from './deployment.ts';
import { drawFigure, type Experiment } from './experiment.ts';
import type { Chart, DrawnSeries } from './figure.ts';
import { messagesSent, threeDigits, timeMs } from './measures.ts';

const base: Scenario = { ...defaultScenario, nodes: 16, network: 'constant:10' };
const samples = [
  { x: 16, scenario: base, seeds: [3, 1] },
  { x: 20, scenario: { ...base, nodes: 20 }, seeds: [1] },
];
const chart: Chart = {
  title: 'two points',
  x: { label: 'nodes', unit: '', scale: 'log' },
  left: { label: 'time', unit: 'ms', scale: 'linear' },
  series: [{ name: 'time', measure: timeMs, samples }],
};
const experiment: Experiment = {
  id: 'two',
  title: 'Two points',
  section: 'none',
  claim: 'None.',
  charts: () => [chart],
  holds: () => ({ holds: true, because: 'nothing is claimed' }),
};

describe('a figure', () => {
  const figure = drawFigure(experiment, 'tiny', (scenario) => simulate(scenario));

  it('has the minimum, the mean of the means and the maximum over nodes and seeds', () => {
    const runs = [3, 1].map((seed) => simulate({ ...base, seed }).timeToThresholdMs);
    expect(figure.point('time', 16)).toMatchObject({
      live: 32,
      reached: 32,
      y: {
        min: Math.min(...runs.map((run) => run.min)),
        mean: (runs[0]!.mean + runs[1]!.mean) / 2,
        max: Math.max(...runs.map((run) => run.max)),
      },
    });
    expect(figure.allReached).toBe(true);
  });

  it('has an interval of the mean if there are several seeds', () => {
    const { y, interval } = figure.point('time', 16);
    expect((interval!.low + interval!.high) / 2).toBeCloseTo(y!.mean);
    expect(interval!.high).toBeGreaterThan(y!.mean);
    expect(figure.point('time', 20).interval).toBeUndefined();
  });

  it('counts each curve of a chart once, however often it is drawn', () => {
    let counted = 0;
    const curves = () => [{ name: 'counted', points: [{ x: 0, y: ++counted }] }];
    const charts = () => [{ ...chart, curves }, chart, { ...chart, curves }];
    const curved = drawFigure({ ...experiment, charts }, 'tiny', () => simulate(base));
    const drawn = () => curved.charts.map((one) => curved.curves(one).map(({ points }) => points[0]!.y));
    for (let time = 0; time < 2; time++) expect(drawn()).toEqual([[1], [], [2]]);
  });

  it('has no time for a threshold that no node reached, and does not draw 0', () => {
    const never = { ...simulate(base), reached: 0, timeToThresholdMs: { min: 0, mean: 0, max: 0 } };
    const unfinished = drawFigure(experiment, 'tiny', () => never);
    expect(unfinished.point('time', 16)).toMatchObject({ y: undefined, live: 32, reached: 0 });
    expect(unfinished.allReached).toBe(false);
    expect(messagesSent.of(never)).toBeDefined();
  });
});

it.each([
  [0, '0'],
  [3, '3'],
  [0.4567, '0.46'],
  [-12.345, '-12.3'],
  [931.6, '932'],
  [4000, '4,000'],
  [1234567.8, '1,234,568'],
])('%d is written as %s', (value, text) => expect(threeDigits(value)).toBe(text));

const at = (x: number, mean: number) => ({ x, min: mean, mean, max: mean });
const series = (...means: [x: number, mean: number][]): DrawnSeries => ({
  name: 'Handel',
  measure: timeMs,
  samples: [],
  published: [at(1, 617), at(49, 751)],
  points: means.map(([x, mean]) => ({ x, y: at(x, mean), interval: undefined, live: 1, reached: 1, runs: [] })),
});

it.each([
  ['the largest', series([1, 700], [49, 1104]), 'with 49 % failing the mean is 47 % above the published mean'],
  ['a negative', series([1, 300], [49, 1000]), 'with 1 % failing the mean is 51 % below the published mean'],
  ['no small', series([1, 700], [49, 900]), undefined],
  ['no unpublished', series([25, 5000]), undefined],
])('names %s difference from a published mean', (_, means, text) => {
  expect(differenceFromPublished(means, (percent) => `with ${percent} % failing`)).toBe(text);
});
