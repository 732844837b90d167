import { expected, requireArray, requireFunction, requireObject } from '@tutti/core/input';
import { confidenceInterval, type Fit, fitLine, type Interval, type RunResult, type Spread } from '@tutti/simulation';
import type { LabScenario } from '../goReference/labScenario.ts';
import type { Measure } from './measures.ts';
import type { PublishedPoint } from './published.ts';

/** A chart with one set of axes. */
export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly left: Axis;
  readonly right?: Axis;
  readonly series: readonly Series[];
  /** Returns the chart's curves, such as fits and formulas. */
  curves?(figure: Figure): readonly Curve[];
}

/** An axis of a chart. */
export interface Axis {
  readonly label: string;
  /** Unit of the values; empty for values without a unit. */
  readonly unit: string;
  /** Scale of the axis. `names` is for values without an order, one row per name. */
  readonly scale: 'linear' | 'log' | 'names';
}

/** A series of marks in a chart. */
export interface Series {
  /** Name of the series, unique within an experiment. */
  readonly name: string;
  /** Name in the legend. Default: `name`. */
  readonly label?: string;
  /** Axis of the values. Default: the left one. */
  readonly axis?: 'left' | 'right';
  readonly measure: Measure;
  /** Runs of the series; empty if there are only published measurements. */
  readonly samples: readonly Sample[];
  /** Published measurements, drawn over the series. */
  readonly published?: readonly PublishedPoint[];
}

/** Runs of one mark: a scenario with several seeds. */
export interface Sample {
  readonly x: number | string;
  readonly scenario: LabScenario;
  readonly seeds: readonly number[];
}

/** Numbers that are not a measure of runs: a fit, a formula, a ratio of series, or a count. */
export interface Curve {
  readonly name: string;
  /** Whether the numbers are measured, and therefore drawn with marks. Default: false. */
  readonly isMeasured?: boolean;
  /** Axis of the values. Default: the left one. */
  readonly axis?: 'left' | 'right';
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A mark with the results of its runs. */
export interface DrawnPoint {
  readonly x: number | string;
  /** Minimum over nodes and seeds, mean of the runs' means, and maximum; undefined if no run has a value. */
  readonly y: Spread | undefined;
  /** Confidence interval of the mean over seeds; undefined for fewer than two runs with a value. */
  readonly interval: Interval | undefined;
  /** Number of live nodes, over all seeds. */
  readonly live: number;
  /** Number of live nodes that reached the threshold, over all seeds. */
  readonly reached: number;
  /** Results, one per seed. */
  readonly runs: readonly RunResult[];
}

/** A series with the results of its runs. */
export interface DrawnSeries extends Series {
  readonly points: readonly DrawnPoint[];
}

/** A chart with the results of its runs. */
export interface DrawnChart extends Chart {
  readonly drawn: readonly DrawnSeries[];
}

/** Returns the result of a scenario's run. */
export type Runs = (scenario: LabScenario) => RunResult;

/** An experiment with the results of its runs. */
export class Figure {
  readonly charts: readonly DrawnChart[];
  /** Curves by chart. The curves are cached, since some take long to compute. */
  readonly #curves = new Map<DrawnChart, readonly Curve[]>();

  constructor(charts: readonly Chart[], runs: Runs) {
    requireArray('charts', charts);
    requireFunction('runs', runs);
    this.charts = charts.map((chart) => ({ ...chart, drawn: chart.series.map((series) => draw(series, runs)) }));
  }

  /** Returns the series of the given name. @throws RangeError if no chart has it. */
  series(name: string): DrawnSeries {
    const all = this.charts.flatMap((chart) => chart.drawn);
    const found = all.find((series) => series.name === name);
    if (found === undefined) throw new RangeError(expected('series', all.map((one) => one.name).join(' or '), name));
    return found;
  }

  /** Returns a mark of a series. @throws RangeError if there is no such mark. */
  point(name: string, x: number | string): DrawnPoint {
    const { points } = this.series(name);
    const found = points.find((point) => point.x === x);
    if (found === undefined) throw new RangeError(expected(`x of ${name}`, points.map((one) => one.x).join(' or '), x));
    return found;
  }

  /** Returns the mean of a mark. @throws RangeError if there is none. */
  mean(name: string, x: number | string): number {
    const { y } = this.point(name, x);
    if (y === undefined) throw new RangeError(`${name} at ${x}: expected a measured value, got none`);
    return y.mean;
  }

  /** Fits a line to a series' means, against a function of x. */
  fit(name: string, against: (x: number) => number): Fit {
    return fitLine(this.series(name).points.map(({ x }) => [against(Number(x)), this.mean(name, x)]));
  }

  /** Returns the curves of one of this figure's charts. */
  curves(chart: DrawnChart): readonly Curve[] {
    requireObject('chart', chart);
    const known = this.#curves.get(chart);
    if (known !== undefined) return known;
    const curves = chart.curves?.(this) ?? [];
    this.#curves.set(chart, curves);
    return curves;
  }

  /** Whether every live node of every run reached the threshold. */
  get allReached(): boolean {
    return this.charts.every(({ drawn }) =>
      drawn.every(({ points }) => points.every(({ live, reached }) => live === reached)),
    );
  }
}

function draw(series: Series, runs: Runs): DrawnSeries {
  return { ...series, points: series.samples.map((sample) => drawPoint(series, sample, runs)) };
}

function drawPoint({ measure }: Series, sample: Sample, resultOf: Runs): DrawnPoint {
  const runs = scenariosOf(sample).map(resultOf);
  const spreads = runs.map((run) => measure.of(run)).filter((one) => one !== undefined);
  return {
    x: sample.x,
    y: spreads.length === 0 ? undefined : overSeeds(spreads),
    interval: confidenceInterval(spreads.map(({ mean }) => mean)),
    live: runs.reduce((sum, run) => sum + run.live, 0),
    reached: runs.reduce((sum, run) => sum + run.reached, 0),
    runs,
  };
}

function overSeeds(spreads: readonly Spread[]): Spread {
  return {
    min: Math.min(...spreads.map((one) => one.min)),
    mean: spreads.reduce((sum, one) => sum + one.mean, 0) / spreads.length,
    max: Math.max(...spreads.map((one) => one.max)),
  };
}

/** Returns a scenario for each seed of a sample. */
export function scenariosOf({ scenario, seeds }: Sample): LabScenario[] {
  return seeds.map((seed) => ({ ...scenario, seed }));
}

/** Returns a chart of one series, whose measure has a linear axis. */
export function chartOf(title: string, x: Axis, series: Series): Chart {
  const { label, unit } = series.measure;
  return { title, x, left: { label, unit, scale: 'linear' }, series: [series] };
}

/** Returns the seeds 1 to `count`. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
