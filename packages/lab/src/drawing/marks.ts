import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import { type SymbolType, symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import type { Axis, DrawnPoint } from '../experiments/figure.ts';
import { threeDigits } from '../experiments/measures.ts';
import { seriesColours } from '../theme.ts';

type Attribute = string | number | undefined;

/** Returns one SVG element as text. Undefined attributes are omitted. Numbers are rounded to a hundredth of a pixel. */
export function element(name: string, attributes: Readonly<Record<string, Attribute>>, ...children: string[]): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escaped(value!)}"`)
    .join('');
  return children.length === 0 ? `<${name}${text}/>` : `<${name}${text}>${children.join('')}</${name}>`;
}

/** Escapes text for use between the tags or the quotes of SVG and HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * Returns a tick's label: millions as M, and thousands as k from 10,000 on.
 *
 * @param max maximum of the axis. If the axis reaches 10,000, all thousands are written as k.
 */
export function tick(value: number, max = value): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${trimmed(value / 1e6)} M`;
  if (magnitude >= (Math.abs(max) >= 1e4 ? 1e3 : 1e4)) return `${trimmed(value / 1e3)} k`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Estimates the width of a text, pixels, because a drawing without a DOM cannot measure it. */
export function textWidth(text: string): number {
  return text.length * 13 * 0.58;
}

/** Shapes for the series' marks, so that series can be distinguished without colours. */
const shapes: readonly SymbolType[] = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond];

/** Returns the class that gives a series its colour. */
export const colourOf = (index: number): string => `s${index % seriesColours}`;

/**
 * Draws a mark.
 *
 * @param isHollow true for published values, and for runs in which some nodes did not finish.
 * @param title escaped text of a tooltip.
 */
export function mark(index: number, x: number, y: number, isHollow: boolean, title?: string): string {
  const path = symbol(shapes[index % shapes.length]!, 52)() ?? '';
  return element(
    'path',
    {
      d: path.replaceAll(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 100) / 100)),
      transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`,
      class: isHollow ? 'open stroke' : 'mark fill',
    },
    ...(title === undefined ? [] : [element('title', {}, title)]),
  );
}

/** A series in a legend: its label, colour and kind of mark. */
export interface LegendEntry {
  readonly label: string;
  /** Index of the colour and shape. */
  readonly index: number;
  readonly kind: 'runs' | 'published' | 'curve';
}

const swatch = 26;
const gap = 18;
const legendRow = 20;

/** Draws a legend of the marks, in as many rows as necessary. */
export function legend(entries: readonly LegendEntry[], width: number): { svg: string; height: number } {
  let x = 0;
  let y = 0;
  const parts = entries.map(({ label, index, kind }) => {
    const own = swatch + textWidth(label);
    if (x > 0 && x + own > width) {
      x = 0;
      y += legendRow;
    }
    const transform = `translate(${x.toFixed(1)},${y})`;
    x += own + gap;
    const line =
      kind === 'published'
        ? element('line', { class: 'stroke whisker', x1: 10, y1: 2, x2: 10, y2: 18 })
        : element('line', { class: `stroke${kind === 'curve' ? ' curve' : ''}`, x1: 0, y1: 10, x2: 20, y2: 10 });
    const symbol = kind === 'curve' ? '' : mark(index, 10, 10, kind === 'published');
    const text = element('text', { class: 'ink', x: swatch, y: 14.5 }, escaped(label));
    return element('g', { class: colourOf(index), transform }, line, symbol, text);
  });
  return { svg: parts.join(''), height: entries.length === 0 ? 0 : y + legendRow };
}

/** Half the length of a bar's end, pixels. */
const half = 5;

/**
 * Returns the two ends of a mark's confidence interval, or an empty list if the mark has no interval. If no value is
 * negative, the lower end is at least 0, because the formula can give a negative time for few seeds.
 */
export function intervalEnds({ y, interval }: Pick<Partial<DrawnPoint>, 'y' | 'interval'>): readonly number[] {
  if (y === undefined || interval === undefined) return [];
  return [y.min >= 0 ? Math.max(0, interval.low) : interval.low, interval.high];
}

/** Draws a vertical interval: a line with a bar at either end. */
export function verticalInterval(x: number, low: number, high: number): string {
  const [left, at, right] = [x - half, x, x + half].map((one) => one.toFixed(1));
  const [from, to] = [low, high].map((one) => one.toFixed(1));
  return element('path', {
    class: 'stroke interval',
    d: `M${left},${from}H${right}M${at},${from}V${to}M${left},${to}H${right}`,
  });
}

/** Draws a horizontal interval, like {@link verticalInterval}. */
export function horizontalInterval(low: number, high: number, y: number): string {
  const [above, at, below] = [y - half, y, y + half].map((one) => one.toFixed(1));
  const [from, to] = [low, high].map((one) => one.toFixed(1));
  return element('path', {
    class: 'stroke interval',
    d: `M${from},${above}V${below}M${from},${at}H${to}M${to},${above}V${below}`,
  });
}

/** Returns an interval as text for a title; empty without an interval. */
export function intervalText({ interval }: Pick<Partial<DrawnPoint>, 'interval'>): string {
  return interval === undefined ? '' : `, ± ${threeDigits((interval.high - interval.low) / 2)} at 95 % confidence`;
}

/** Returns the title of an axis: its label, with the unit if there is one. */
export function titled({ label, unit }: Axis): string {
  return unit === '' ? label : `${label}, ${unit}`;
}

/** Position of a value on an axis, px. */
export type Scale = ScaleContinuousNumeric<number, number>;

/**
 * Returns a scale over all values. A linear scale includes 0, so that lengths can be compared. A logarithmic scale
 * covers only positive values.
 */
export function scaleOf(axis: Axis, values: readonly number[], range: readonly [number, number]): Scale {
  if (axis.scale === 'log') {
    const positive = values.filter((value) => value > 0);
    return scaleLog()
      .domain([Math.min(...positive), Math.max(...positive)])
      .range(range);
  }
  return scaleLinear()
    .domain([Math.min(0, ...values), Math.max(0, ...values)])
    .nice(5)
    .range(range);
}

/** Minimum distance between two labels, pixels. */
const tickRoom = 40;

/**
 * Returns ticks with sufficient distance between them. On a logarithmic axis, the ticks are at 1, 2 and 5 of each
 * decade, at 1 and 3, or only at 1.
 */
export function ticksOf(scale: Scale, axis: Axis): number[] {
  const [from = 0, to = 0] = scale.range();
  const max = Math.max(2, Math.floor(Math.abs(to - from) / tickRoom));
  if (axis.scale !== 'log') return scale.ticks(Math.min(6, max));
  const candidates = [[1, 2, 5], [1, 3], [1]].map((steps) => decadeTicks(scale.domain(), steps));
  return candidates.find((some) => some.length <= max && some.length > 0) ?? candidates[0]!.slice(0, 1);
}

/** Returns the products of each decade with some factors, within a domain. */
function decadeTicks([from = 1, to = 1]: number[], steps: readonly number[]): number[] {
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => 10 ** (first + index));
  return decades
    .flatMap((decade) => steps.map((step) => step * decade))
    .filter((value) => value >= from && value <= to);
}
