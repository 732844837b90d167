import { type DrawnChart, experiments } from '@tutti/lab';
import { seedsText } from '../output/text.ts';

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
  const over = `${isRows ? 'by' : 'over'} ${x.label}`;
  const seeds = seedsText(drawn.flatMap(({ points }) => points.flatMap(({ runs }) => runs.map(({ seed }) => seed))));
  return [
    `${title}: ${axes.join(' and ')}, ${over}; ${seeds}.`,
    ` Filled marks show means over nodes and seeds. ${isRows ? 'Bars' : 'Bands'} reach from the minimum to the maximum over nodes`,
    has.intervals ? ', and thin bars with end caps are 95 % confidence intervals of the means.' : '.',
    has.unfinished ? ' A hollow mark without whiskers means that some live nodes never finished.' : '',
    has.published ? " Hollow marks with whiskers, shifted to the right, are measurements by the paper's authors." : '',
  ].join('');
}
