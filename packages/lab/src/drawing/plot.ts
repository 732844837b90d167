import { confidenceInterval } from '@tutti/simulation';
import { type Axis, type DrawnChart, Figure } from '../experiments/figure.ts';
import { standaloneSvg } from './chart.ts';

/** Values of some rows of a table at one position of the x axis. */
export interface PlottedPoint {
  readonly x: number | string;
  readonly values: readonly number[];
}

/** A chart of a table: the name and the points of each series. */
export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly { readonly name: string; readonly points: readonly PlottedPoint[] }[];
}

/** Draws columns of a table in the style of the paper's figures: means, intervals, and a band from min to max. */
export function plotSvg({ title, x, y, series }: Plot): string {
  const drawn = series.map(({ name, points }) => ({
    name,
    measure: { label: y.label, unit: y.unit, of: () => undefined },
    // A series without samples has no entry in the legend.
    samples: points.map((point) => ({ x: point.x, scenario: undefined as never, seeds: [] })),
    points: points.map(({ x: at, values }) => ({ x: at, ...summaryOf(values), live: 0, reached: 0, runs: [] })),
  }));
  const chart: DrawnChart = { title, x, left: y, series: [], drawn };
  const figure = new Figure([], () => {
    throw new Error('a table has no runs');
  });
  return standaloneSvg(Object.assign(figure, { charts: [chart] }), title);
}

function summaryOf(values: readonly number[]) {
  if (values.length === 0) return { y: undefined, interval: undefined };
  const sum = values.reduce((total, one) => total + one, 0);
  const [min, max] = values.reduce(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [Infinity, -Infinity],
  );
  return { y: { min, mean: sum / values.length, max }, interval: confidenceInterval(values) };
}
