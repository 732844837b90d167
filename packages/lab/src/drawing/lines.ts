import { area, line } from 'd3-shape';
import type { Chart, Curve, DrawnPoint, DrawnSeries } from '../experiments/figure.ts';
import { threeDigits } from '../experiments/measures.ts';
import {
  colourOf,
  element,
  escaped,
  intervalEnds,
  intervalText,
  type LegendEntry,
  legend,
  mark,
  type Scale,
  scaleOf,
  textWidth,
  tick,
  ticksOf,
  titled,
  verticalInterval,
} from './marks.ts';

/** A drawing as SVG text, with its size in pixels. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

type Point = Omit<DrawnPoint, 'runs'>;
type LineSeries = Pick<DrawnSeries, 'name' | 'label' | 'axis' | 'published'> & { readonly points: readonly Point[] };

/** A chart whose x axis has numbers. */
export interface LinesChart extends Pick<Chart, 'x' | 'left' | 'right'> {
  readonly drawn: readonly LineSeries[];
}

/** Draws a chart with a numeric x axis: a line through the means, a band from min to max, and published points. */
export function drawLines(chart: LinesChart, curves: readonly Curve[], width: number): Drawing {
  const key = legend(entries(chart, curves), width);
  const titles = axisTitles(chart, width);
  const top = key.height + titles.height + 24;
  const bottom = top + (width > 500 ? 300 : 240);
  const edges: Edges = { left: 50, right: width - (chart.right === undefined ? 16 : 50) };

  const published = chart.drawn.filter((series) => series.published !== undefined);
  const room = published.length > 0 ? 30 : 14;
  const x = scaleOf(chart.x, xValues(chart, curves), [edges.left + 8, edges.right - room]);
  const vertical: [number, number] = [bottom, top];
  const left = scaleOf(chart.left, yValues(chart, curves, 'left'), vertical);
  const right = chart.right && scaleOf(chart.right, yValues(chart, curves, 'right'), vertical);
  const scaleFor = (axis: 'left' | 'right' = 'left'): Scale => (axis === 'right' && right ? right : left);

  const series = chart.drawn.map((one, index) => {
    const parts = seriesParts(one, index, published.indexOf(one), x, scaleFor(one.axis));
    return element('g', { class: colourOf(index) }, ...parts);
  });
  const drawnCurves = curves.map((curve, place) => {
    const index = place + chart.drawn.length;
    return element('g', { class: colourOf(index) }, ...curveParts(curve, index, x, scaleFor(curve.axis)));
  });
  const parts = [
    key.svg,
    element('g', { transform: `translate(0,${key.height + 12})` }, titles.svg),
    ...leftAxis(left, ticksOf(left, chart.left), edges),
    ...(right === undefined || chart.right === undefined ? [] : rightAxis(right, ticksOf(right, chart.right), edges)),
    ...bottomAxis(x, xTicks(x, chart, curves), titled(chart.x), bottom, edges),
    ...series,
    ...drawnCurves,
  ];
  return { svg: parts.join(''), width, height: bottom + 50 };
}

/** Left and right edges of the area in which values are drawn, pixels. */
interface Edges {
  readonly left: number;
  readonly right: number;
}

function leftAxis(scale: Scale, ticks: readonly number[], { left, right }: Edges): string[] {
  return ticks.flatMap((value) => {
    const y = scale(value);
    return [
      element('line', { class: 'grid', x1: left, x2: right, y1: y, y2: y }),
      element('text', { x: left - 8, y: y + 4.5, 'text-anchor': 'end' }, tick(value, scale.domain()[1])),
    ];
  });
}

function rightAxis(scale: Scale, ticks: readonly number[], { right }: Edges): string[] {
  return ticks.flatMap((value) => {
    const y = scale(value);
    return [
      element('line', { class: 'axis', x1: right, x2: right + 4, y1: y, y2: y }),
      element('text', { x: right + 8, y: y + 4.5 }, tick(value, scale.domain()[1])),
    ];
  });
}

function bottomAxis(scale: Scale, ticks: readonly number[], title: string, y: number, { left, right }: Edges) {
  return [
    element('line', { class: 'axis', x1: left, x2: right, y1: y, y2: y }),
    ...ticks.flatMap((value) => {
      const x = scale(value);
      return [
        element('line', { class: 'axis', x1: x, x2: x, y1: y, y2: y + 4 }),
        element('text', { x, y: y + 19, 'text-anchor': 'middle' }, tick(value)),
      ];
    }),
    element('text', { class: 'ink', x: (left + right) / 2, y: y + 40, 'text-anchor': 'middle' }, escaped(title)),
  ];
}

/** Offset of a published mark to the right of its value, pixels. The offset separates two marks with the same value. */
const publishedAside = 11;

/** Draws a series. @param place index among the series with published points; -1 for any other series. */
function seriesParts(series: LineSeries, index: number, place: number, x: Scale, y: Scale): string[] {
  const points = series.points.filter((point) => point.y !== undefined);
  const clamp = (value: number): number => y(Math.max(value, y.domain()[0]!));
  const band = area<Point>(
    (point) => x(Number(point.x)),
    (point) => clamp(point.y!.min),
    (point) => clamp(point.y!.max),
  ).digits(1);
  const means = line<Point>(
    (point) => x(Number(point.x)),
    (point) => clamp(point.y!.mean),
  ).digits(1);
  // Published marks stand next to the runs' marks, which often have the same value, and next to other series' whiskers.
  const aside = publishedAside + 6 * place;
  return [
    element('path', { class: 'fill band', d: band(points) ?? '' }),
    element('path', { class: 'stroke', d: means(points) ?? '' }),
    ...points.flatMap((point) => {
      const [low, high] = intervalEnds(point);
      return low === undefined ? [] : [verticalInterval(x(Number(point.x)), clamp(low), clamp(high!))];
    }),
    ...points.map((point) => {
      const { min, mean, max } = point.y!;
      const missing = point.live - point.reached;
      const title = `${series.name}, ${threeDigits(Number(point.x))}: ${threeDigits(mean)} (${threeDigits(min)} to ${threeDigits(max)})${intervalText(point)}${missing === 0 ? '' : `, ${threeDigits(missing)} of ${threeDigits(point.live)} nodes never finished`}`;
      return mark(index, x(Number(point.x)), clamp(mean), missing > 0, escaped(title));
    }),
    ...(series.published ?? []).flatMap((point) => [
      element('line', {
        class: 'stroke whisker published',
        x1: x(point.x) + aside,
        x2: x(point.x) + aside,
        y1: clamp(point.min),
        y2: clamp(point.max),
      }),
      mark(
        index,
        x(point.x) + aside,
        y(point.mean),
        true,
        escaped(
          `published, ${threeDigits(point.x)}: ${threeDigits(point.mean)} (${threeDigits(point.min)} to ${threeDigits(point.max)})`,
        ),
      ),
    ]),
  ];
}

function curveParts({ points, isMeasured }: Curve, index: number, x: Scale, y: Scale): string[] {
  const path = line<{ x: number; y: number }>(
    (point) => x(point.x),
    (point) => y(point.y),
  ).digits(1);
  return [
    element('path', { class: `stroke${isMeasured ? '' : ' curve'}`, d: path([...points]) ?? '' }),
    ...(isMeasured ? points.map((point) => mark(index, x(point.x), y(point.y), false)) : []),
  ];
}

function entries({ drawn }: LinesChart, curves: readonly Curve[]): LegendEntry[] {
  return [
    ...drawn.flatMap(({ name, label = name, points, published }, index): LegendEntry[] => [
      ...(points.length === 0 ? [] : [{ label, index, kind: 'runs' } as const]),
      ...(published === undefined ? [] : [{ label: `${label}, published`, index, kind: 'published' } as const]),
    ]),
    ...curves.map(({ name, isMeasured }, index): LegendEntry => {
      return { label: name, index: index + drawn.length, kind: isMeasured ? 'runs' : 'curve' };
    }),
  ];
}

/** Draws the titles of the vertical axes above them, next to each other if there is room. */
function axisTitles({ left, right }: LinesChart, width: number): { svg: string; height: number } {
  const first = element('text', { class: 'ink', x: 0, y: 12 }, escaped(titled(left)));
  if (right === undefined) return { svg: first, height: 18 };
  const fitsOnOneLine = textWidth(titled(left)) + textWidth(titled(right)) + 24 < width;
  const second = element(
    'text',
    { class: 'ink', x: width, y: fitsOnOneLine ? 12 : 30, 'text-anchor': 'end' },
    escaped(titled(right)),
  );
  return { svg: first + second, height: fitsOnOneLine ? 18 : 36 };
}

function xValues({ drawn }: LinesChart, curves: readonly Curve[]): number[] {
  return [
    ...drawn.flatMap(({ points, published = [] }) => [...points, ...published].map((point) => Number(point.x))),
    ...curves.flatMap(({ points }) => points.map((point) => point.x)),
  ];
}

function yValues({ drawn }: LinesChart, curves: readonly Curve[], side: 'left' | 'right'): number[] {
  const isHere = ({ axis = 'left' }: { readonly axis?: 'left' | 'right' }) => axis === side;
  const here = drawn.filter(isHere);
  const spreads = here.flatMap(({ points, published = [] }) => [...points.flatMap(({ y }) => y ?? []), ...published]);
  return [
    ...spreads.flatMap(({ min, mean, max }) => [min, mean, max]),
    ...here.flatMap(({ points }) => points.flatMap(intervalEnds)),
    ...curves.filter(isHere).flatMap(({ points }) => points.map(({ y }) => y)),
  ];
}

/**
 * Returns ticks at the values whose labels fit. The ticks are at round numbers if there are more than 12 values, or if
 * fewer than half of the labels fit.
 */
function xTicks(x: Scale, chart: LinesChart, curves: readonly Curve[]): number[] {
  const values = [...new Set(xValues(chart, curves))].sort((a, b) => a - b);
  const kept: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    const half = textWidth(tick(value)) / 2 + 3;
    if (x(value) - half < end) continue;
    kept.push(value);
    end = x(value) + half;
  }
  return kept.length * 2 >= values.length && values.length <= 12 ? kept : ticksOf(x, chart.x);
}
