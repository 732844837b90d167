import { defaultScenario, type Scenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { drawFigure, type Experiment, scenariosFor } from './experiment.ts';
import type { Chart } from './figure.ts';
import { messagesSent, timeMs } from './measures.ts';

const base: Scenario = { ...defaultScenario, nodes: 16, network: 'constant:10' };
const chart: Chart = {
  title: 'two points',
  x: { label: 'nodes', unit: '', scale: 'log' },
  left: { label: 'time', unit: 'ms', scale: 'linear' },
  series: [
    {
      name: 'time',
      measure: timeMs,
      samples: [
        { x: 16, scenario: base, seeds: [3, 1] },
        { x: 20, scenario: { ...base, nodes: 20 }, seeds: [1] },
      ],
    },
  ],
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
  it('uses one run per seed of each point', () => {
    expect(scenariosFor(experiment, 'tiny').map(({ nodes, seed }) => [nodes, seed])).toEqual([
      [16, 3],
      [16, 1],
      [20, 1],
    ]);
  });

  it('has the minimum, the mean of the means and the maximum over nodes and seeds', () => {
    const figure = drawFigure(experiment, 'tiny', (scenario) => simulate(scenario));
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
    const figure = drawFigure(experiment, 'tiny', (scenario) => simulate(scenario));
    const { y, interval } = figure.point('time', 16);
    expect((interval!.low + interval!.high) / 2).toBeCloseTo(y!.mean);
    expect(interval!.high).toBeGreaterThan(y!.mean);
    expect(figure.point('time', 20).interval).toBeUndefined();
  });

  it('lists its series after a request for an unknown one', () => {
    const figure = drawFigure(experiment, 'tiny', (scenario) => simulate(scenario));
    expect(() => figure.mean('tme', 16)).toThrow('series: expected time, got "tme"');
    expect(() => figure.mean('time', 17)).toThrow('x of time: expected 16 or 20, got 17');
  });

  it('counts each curve of a chart once, however often it is drawn', () => {
    let counted = 0;
    const curves = () => [{ name: 'counted', points: [{ x: 0, y: ++counted }] }];
    const charts = () => [{ ...chart, curves }, chart, { ...chart, curves }];
    const figure = drawFigure({ ...experiment, charts }, 'tiny', (scenario) => simulate(scenario));
    const drawn = () => figure.charts.map((one) => figure.curves(one).map(({ points }) => points[0]!.y));
    expect(drawn()).toEqual([[1], [], [2]]);
    expect(drawn()).toEqual([[1], [], [2]]);
  });

  it('has no time for a threshold that no node reached, and does not draw 0', () => {
    const never = { ...simulate(base), reached: 0, timeToThresholdMs: { min: 0, mean: 0, max: 0 } };
    const figure = drawFigure(experiment, 'tiny', () => never);
    expect(figure.point('time', 16)).toMatchObject({ y: undefined, live: 32, reached: 0 });
    expect(figure.allReached).toBe(false);
    expect(messagesSent.of(never)).toBeDefined();
  });
});
