/**
 * Figures as SVG, drawn with D3's scales and shapes. {@link inlineSvg} draws a figure for a page and uses the page's
 * colours. {@link standaloneSvg} creates a file. {@link drawRows} and {@link drawMap} draw charts with names on an
 * axis, {@link plotSvg} draws one chart without runs, and {@link shortestSlot} the shortest sufficient slots.
 *
 * @packageDocumentation
 */
import { confidenceInterval } from '@tutti/simulation';
import { type Drawing, drawLines, type LinesChart } from './drawing/lines.ts';
import { drawMap, type SlotMap } from './drawing/map.ts';
import { element, escaped } from './drawing/marks.ts';
import { drawRows } from './drawing/rows.ts';
import type { Axis, Curve, DrawnChart, Figure } from './experiments/figure.ts';
import { type Background, standalonePaper, standaloneStyle } from './theme.ts';

export type { Drawing } from './drawing/lines.ts';
export { drawMap, type SlotMap } from './drawing/map.ts';
export { escaped } from './drawing/marks.ts';
export { drawRows, type RowsChart } from './drawing/rows.ts';

/** Width of a wide chart, pixels. A page shows the wide or the narrow chart, so that the letter size stays the same. */
export const wide = 720;
/** Width of a narrow chart, pixels. */
export const narrow = 340;

function draw(chart: LinesChart, curves: readonly Curve[], width: number): Drawing {
  return chart.x.scale === 'names' ? drawRows(chart, width) : drawLines(chart, curves, width);
}

/** Draws a chart of a figure for a page, with the page's colours and font. @param width width of the chart, pixels. */
export function inlineSvg(figure: Figure, chart: DrawnChart, width: number): string {
  const { svg, height } = draw(chart, figure.curves(chart), width);
  return element(
    'svg',
    {
      class: `chart ${width === wide ? 'wide' : 'narrow'}`,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': chart.title,
    },
    svg,
  );
}

/** Draws all charts of a figure, one below the other, as a file. @param width width of the charts, pixels. */
export function standaloneSvg(
  figure: Figure,
  title: string,
  background: Background = 'paper',
  width: number = wide,
): string {
  return onPaper(
    figure.charts.map((chart) => ({ title: chart.title, drawing: draw(chart, figure.curves(chart), width) })),
    title,
    background,
  );
}

/** Combines drawings, one below the other, into a file. */
export function onPaper(
  drawings: readonly { readonly title: string; readonly drawing: Drawing }[],
  title: string,
  background: Background = 'paper',
): string {
  const margin = 20;
  const parts: string[] = [];
  let y = margin;
  for (const { title: heading, drawing } of drawings) {
    parts.push(element('text', { class: 'ink', x: margin, y: y + 14, 'font-weight': 'bold' }, escaped(heading)));
    parts.push(element('g', { transform: `translate(${margin},${y + 26})` }, drawing.svg));
    y += 26 + drawing.height + margin;
  }
  const width = Math.max(0, ...drawings.map(({ drawing }) => drawing.width)) + 2 * margin;
  const paper = standalonePaper(background);
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: y,
      viewBox: `0 0 ${width} ${y}`,
      'font-family': 'DejaVu Sans, system-ui, sans-serif',
    },
    element('title', {}, escaped(title)),
    element('style', {}, standaloneStyle(background)),
    ...(paper === undefined ? [] : [element('rect', { width, height: y, fill: paper })]),
    ...parts,
  )}\n`;
}

/** Values of a table's rows at one position on the x axis. */
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
    points: points.map(({ x: at, values }) => ({ x: at, ...summaryOf(values), live: 0, reached: 0 })),
  }));
  return onPaper([{ title, drawing: draw({ x, left: y, drawn }, [], wide) }], title);
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

/** A map with the inputs of each cell. */
export interface InputsMap extends SlotMap {
  readonly cells: readonly (SlotMap['cells'][number] & { readonly inputs: Readonly<Record<string, unknown>> })[];
}

/**
 * Draws the cells of today's protocol, whose preset is `electra`, in two panels. The panel by proposal shows slots of
 * at most 12 s. The panel by links, machine and number of validators shows the lengths that were simulated there.
 */
export function shortestSlot({ slotSeconds, cells }: InputsMap): string {
  const todays = cells
    .filter(({ preset }) => preset === 'electra')
    .map((cell) => ({
      ...cell,
      value: cell.value.replaceAll(/\d{5,}/g, (digits) => Number(digits).toLocaleString('en-US')),
    }));
  const byProposal = todays.filter(({ inputs }) => inputs.proposal !== undefined);
  const byLinks = todays.filter(({ inputs }) => inputs.links !== undefined);
  const isSimulated = (seconds: number) =>
    byLinks.some(({ simulated }) => simulated.some((one) => one.slotSeconds === seconds));
  const panel = (title: string, cells: SlotMap['cells'], isShown: (seconds: number) => boolean) => ({
    title,
    drawing: drawMap({ slotSeconds: slotSeconds.filter(isShown), cells }, wide),
  });
  return onPaper(
    [
      panel('By proposal', byProposal, (seconds) => seconds <= 12),
      panel('By links, machine and number of validators, without late votes', byLinks, isSimulated),
    ],
    'The shortest slot with 99 % of the votes in the next block, and the votes in reach for each simulated slot length, %',
  );
}
