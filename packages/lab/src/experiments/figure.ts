import { expected, requireArray, requireFunction, requireObject } from '@tutti/core/settings';
import type { RunResult, Spread } from '@tutti/simulation';
import { confidenceInterval, type Fit, fitLine, type Interval } from '@tutti/simulation';
import type { LabScenario } from '../goReference/labScenario.ts';
import type { Measure } from './measures.ts';
import type { PublishedPoint } from './published.ts';

/** One set of axes. */
export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly left: Axis;
  readonly right?: Axis;
  readonly series: readonly Series[];
  /** What is drawn beside the runs: fits and formulas. */
  curves?(figure: Figure): readonly Curve[];
}

export interface Axis {
  readonly label: string;
  /** Empty where there is none. */
  readonly unit: string;
  /** `names` for things that have no order: a row each. */
  readonly scale: 'linear' | 'log' | 'names';
}

export interface Series {
  /** Unique within an experiment. */
  readonly name: string;
  /** For the legend; default: the name. */
  readonly label?: string;
  /** Default: the left one. */
  readonly axis?: 'left' | 'right';
  readonly measure: Measure;
  /** None if there are only others' measurements. */
  readonly samples: readonly Sample[];
  /** Others' measurements, drawn over it. */
  readonly published?: readonly PublishedPoint[];
}

/** The runs behind one mark: a scenario with several seeds. */
export interface Sample {
  readonly x: number | string;
  readonly scenario: LabScenario;
  readonly seeds: readonly number[];
}

/** Numbers that come from no run: a fit, a formula, or a count of something that needs no run. */
export interface Curve {
  readonly name: string;
  /** Counted, and drawn as such. */
  readonly isMeasured?: boolean;
  readonly axis?: 'left' | 'right';
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A mark: the results of its runs. */
export interface DrawnPoint {
  readonly x: number | string;
  /**
   * Over nodes and seeds: the least, the mean of the runs' means, the greatest; undefined when no run has anything to
   * show.
   */
  readonly y: Spread | undefined;
  /** Of the mean, over seeds; undefined for fewer than two. */
  readonly interval: Interval | undefined;
  /** Over all seeds. */
  readonly live: number;
  readonly reached: number;
  /** One a seed. */
  readonly runs: readonly RunResult[];
}

export interface DrawnSeries extends Series {
  readonly points: readonly DrawnPoint[];
}

export interface DrawnChart extends Chart {
  readonly drawn: readonly DrawnSeries[];
}

/** Finds the run of a scenario. */
export type Runs = (scenario: LabScenario) => RunResult;

/** An experiment whose runs are done. */
export class Figure {
  readonly charts: readonly DrawnChart[];
  /** By chart; kept, for some are counted from much. */
  readonly #curves = new Map<DrawnChart, readonly Curve[]>();

  constructor(charts: readonly Chart[], runs: Runs) {
    requireArray('charts', charts);
    requireFunction('runs', runs);
    this.charts = charts.map((chart) => ({ ...chart, drawn: chart.series.map((series) => draw(series, runs)) }));
  }

  /** @throws RangeError when no chart has a series of that name. */
  series(name: string): DrawnSeries {
    const all = this.charts.flatMap((chart) => chart.drawn);
    const found = all.find((series) => series.name === name);
    if (found === undefined) throw new RangeError(expected('series', all.map((one) => one.name).join(' or '), name));
    return found;
  }

  /** @throws RangeError when there is no such mark. */
  point(name: string, x: number | string): DrawnPoint {
    const { points } = this.series(name);
    const found = points.find((point) => point.x === x);
    if (found === undefined) throw new RangeError(expected(`x of ${name}`, points.map((one) => one.x).join(' or '), x));
    return found;
  }

  /** The mark's mean. @throws RangeError when there is none. */
  mean(name: string, x: number | string): number {
    const { y } = this.point(name, x);
    if (y === undefined) throw new RangeError(expected(`${name} at ${x}`, 'something measured', 'nothing'));
    return y.mean;
  }

  /** A line through a series' means, against a function of x. */
  fit(name: string, against: (x: number) => number): Fit {
    return fitLine(this.series(name).points.map(({ x }) => [against(Number(x)), this.mean(name, x)]));
  }

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

function drawPoint({ measure }: Series, sample: Sample, find: Runs): DrawnPoint {
  const runs = scenariosOf(sample).map(find);
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

/** A scenario for each seed of a sample. */
export function scenariosOf({ scenario, seeds }: Sample): LabScenario[] {
  return seeds.map((seed) => ({ ...scenario, seed }));
}

/** The seeds 1 to `count`. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
