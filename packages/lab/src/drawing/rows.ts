import type { Axis, DrawnPoint } from '../experiments/figure.ts';
import { threeDigits } from '../experiments/measures.ts';
import type { Drawing } from './lines.ts';
import {
  colourOf,
  element,
  escaped,
  horizontalInterval,
  intervalEnds,
  intervalText,
  legend,
  mark,
  scaleOf,
  textWidth,
  tick,
  ticksOf,
  titled,
} from './marks.ts';

const rowHeight = 26;

/** Values of a row, drawn as a mark at the mean and a bar from min to max. */
type RowPoint = Pick<DrawnPoint, 'x' | 'y' | 'live' | 'reached'> & Partial<Pick<DrawnPoint, 'interval'>>;

/** A chart whose x axis has names. */
export interface RowsChart {
  /** Axis of the values. */
  readonly left: Axis;
  readonly drawn: readonly {
    readonly name: string;
    /** Name in the legend. Default: `name`. */
    readonly label?: string;
    readonly points: readonly RowPoint[];
  }[];
}

/** Draws a chart whose x axis has names: a row for each name, with one line for each series. */
export function drawRows(chart: RowsChart, width: number): Drawing {
  const { drawn, left } = chart;
  const names = [...new Set(drawn.flatMap(({ points }) => points.map((point) => String(point.x))))];
  const entries = drawn.map(({ name, label = name }, index) => ({ label, index, kind: 'runs' }) as const);
  const key = legend(entries.length > 1 ? entries : [], width);
  const narrow = width < 500;
  const labelWidth = narrow ? 0 : Math.max(0, ...names.map((name) => textWidth(name))) + 12;
  const valueWidth =
    Math.max(0, ...drawn.flatMap(({ points }) => points.map((point) => textWidth(valueText(point))))) + 12;
  const top = key.height + 10;
  const blockHeight = (narrow ? 20 : 0) + drawn.length * rowHeight + (drawn.length > 1 ? 8 : 0);
  const bottom = top + names.length * blockHeight + 4;
  const values = drawn.flatMap(({ points }) =>
    points.flatMap((point) =>
      point.y === undefined ? [] : [point.y.min, point.y.mean, point.y.max, ...intervalEnds(point)],
    ),
  );
  const scale = scaleOf(left, values.length === 0 ? [1] : values, [labelWidth + 12, width - valueWidth - 12]);
  const from = (value: number): number => scale(Math.max(value, scale.domain()[0]!));

  const parts = [key.svg];
  for (const value of ticksOf(scale, left)) {
    const x = scale(value);
    parts.push(element('line', { class: 'grid', x1: x, x2: x, y1: top, y2: bottom }));
    parts.push(element('text', { x, y: bottom + 17, 'text-anchor': 'middle' }, tick(value)));
  }
  names.forEach((name, place) => {
    const y = top + place * blockHeight;
    const first = y + (narrow ? 20 : 0);
    const middle = first + (drawn.length * rowHeight) / 2;
    parts.push(
      narrow
        ? element('text', { class: 'ink', x: 0, y: y + 17 }, escaped(name))
        : element('text', { class: 'ink', x: labelWidth, y: middle + 4.5, 'text-anchor': 'end' }, escaped(name)),
    );
    drawn.forEach((series, index) => {
      const point = series.points.find((one) => String(one.x) === name);
      if (point === undefined) return;
      const at = first + (index + 0.5) * rowHeight;
      const title = `${name}, ${series.name}`;
      parts.push(
        ...bar(point, index, title, at, from),
        element('text', { class: 'ink', x: width, y: at + 4.5, 'text-anchor': 'end' }, escaped(valueText(point))),
      );
    });
  });
  const middle = narrow ? width / 2 : (labelWidth + width - valueWidth) / 2;
  parts.push(
    element('text', { class: 'ink', x: middle, y: bottom + 38, 'text-anchor': 'middle' }, escaped(titled(left))),
  );
  return { svg: parts.join(''), width, height: bottom + 48 };
}

/**
 * Draws a point as a bar with its interval and mark; draws nothing if the point has no values. @param x returns the
 * position of a value.
 */
function bar(point: RowPoint, index: number, title: string, at: number, x: (value: number) => number): string[] {
  if (point.y === undefined) return [];
  const { min, mean, max } = point.y;
  const [low, high] = intervalEnds(point);
  const values = `${threeDigits(mean)} (${threeDigits(min)} to ${threeDigits(max)})${intervalText(point)}`;
  return [
    element(
      'g',
      { class: colourOf(index) },
      element('line', { class: 'stroke range', x1: x(min), x2: x(max), y1: at, y2: at }),
      ...(low === undefined ? [] : [horizontalInterval(x(low), x(high!), at)]),
      mark(index, x(mean), at, point.reached < point.live, escaped(`${title}: ${values}`)),
    ),
  ];
}

/** Returns a text with the mean or "never", and with the number of nodes that finished unless all nodes finished. */
function valueText({ y, live, reached }: RowPoint): string {
  const mean = y === undefined ? 'never' : threeDigits(y.mean);
  return reached === live ? mean : `${mean}, ${threeDigits(reached)}/${threeDigits(live)} done`;
}
