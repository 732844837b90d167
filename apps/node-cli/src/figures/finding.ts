import {
  type DrawnChart,
  drawFigure,
  type Experiment,
  type Extent,
  experiments,
  type Figure,
  type Verdict,
} from '@tutti/lab';
import type { DoneRuns } from './runs.ts';

/** Result of an experiment. */
export interface Finding {
  readonly experiment: Experiment;
  readonly figure: Figure;
  readonly verdict: Verdict;
  /** Command that reproduces this finding. */
  readonly command: string;
}

/**
 * Returns the result of an experiment from its runs.
 *
 * @param network network of the runs, if it differs from the experiment's own network.
 */
export function findingOf(experiment: Experiment, extent: Extent, runs: DoneRuns, network?: string): Finding {
  const figure = drawFigure(experiment, extent, runs.find);
  const flag = extent === 'full' ? '' : ` --${extent}`;
  const on = network === undefined ? '' : ` --network ${network}`;
  return {
    experiment,
    figure,
    verdict: experiment.holds(figure),
    command: `tutti figures --only ${experiment.id}${flag}${on}`,
  };
}

/** Describes the numbers of a verdict, and their difference from the published numbers if that difference is large. */
export function verdictText({ verdict: { because, differs } }: Finding): string {
  return differs === undefined ? because : `${because}. It differs: ${differs}`;
}

/** Returns a verdict in a few words. */
export function verdictWord({ experiment, verdict }: Finding): string {
  if (verdict.holds) return verdict.differs === undefined ? 'held' : 'held, but differs';
  return experiment.departure === undefined ? 'did not hold' : 'did not hold, as documented';
}

/** Returns the distinct seeds of all runs as text: `seed 1`, `seeds 1 and 3`, `seeds 1 to 3`. */
export function seedsText(runs: readonly { readonly seed: number }[]): string {
  const seeds = [...new Set(runs.map(({ seed }) => seed))].sort((a, b) => a - b);
  const [first, ...rest] = seeds;
  if (rest.length === 0) return `seed ${first}`;
  const isRange = seeds.every((seed, place) => seed === first! + place);
  return isRange && rest.length > 1
    ? `seeds ${first} to ${rest.at(-1)}`
    : `seeds ${seeds.slice(0, -1).join(', ')} and ${seeds.at(-1)}`;
}

const paperNumber = (id: string): number | undefined => {
  const number = /^fig(\d+)$/.exec(id)?.[1];
  return number === undefined ? undefined : Number(number);
};

/** Number of the last figure in the paper. Figures that the paper does not contain have higher numbers. */
const last = Math.max(...experiments.map(({ id }) => paperNumber(id) ?? 0));
const others = experiments.filter(({ id }) => paperNumber(id) === undefined).map(({ id }) => id);

/**
 * Returns the number of a figure, which is the same in every report: the paper's number if the paper contains the
 * figure.
 */
export const figureNumber = (id: string): number => paperNumber(id) ?? last + 1 + others.indexOf(id);

/** Returns the label of a chart: `3a`, or `5` for a figure with one chart. */
export const chartNumber = (id: string, place: number, charts: number): string =>
  `${figureNumber(id)}${charts > 1 ? String.fromCodePoint(0x61 + place) : ''}`;

/** Describes the axes, marks, bands, whiskers and seeds of a chart, so that the chart can be read without the page. */
export function captionOf(chart: DrawnChart): string {
  const { drawn, x, left, right, title } = chart;
  const axes = [left, right].flatMap((axis) => (axis === undefined ? [] : [axis.label]));
  const has = {
    published: drawn.some(({ published }) => published !== undefined),
    intervals: drawn.some(({ points }) => points.some(({ interval }) => interval !== undefined)),
    unfinished: drawn.some(({ points }) => points.some(({ y, live, reached }) => y !== undefined && reached < live)),
  };
  const isRows = x.scale === 'names';
  const over = isRows ? 'a row for each' : `over ${x.label}`;
  const seeds = seedsText(drawn.flatMap(({ points }) => points.flatMap(({ runs }) => runs)));
  return [
    `${title}: ${axes.join(' and ')}, ${over}; ${seeds}.`,
    ` Filled marks are means over nodes and seeds, ${isRows ? 'bars' : 'bands'} reach from the minimum to the maximum over nodes`,
    has.intervals ? ', and thin bars with end caps are 95 % confidence intervals of the means.' : '.',
    has.unfinished ? ' A hollow mark without whiskers means that some live nodes never finished.' : '',
    has.published ? " Hollow marks with whiskers, shifted to the right, are measurements by the paper's authors." : '',
  ].join('');
}
