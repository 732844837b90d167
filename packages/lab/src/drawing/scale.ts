import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import type { Axis, DrawnPoint } from '../experiments/figure.ts';
import { threeDigits } from '../experiments/wording.ts';
import { element } from './marks.ts';

/** Half the length of a bar's end, pixels. */
const half = 5;

/** Returns the ends of a mark's confidence interval, cut at 0: the formula can give a negative time for two seeds. */
export function intervalEnds({ y, interval }: Pick<Partial<DrawnPoint>, 'y' | 'interval'>): readonly number[] {
  if (y === undefined || interval === undefined) return [];
  return [y.min >= 0 ? Math.max(0, interval.low) : interval.low, interval.high];
}

/** Draws a vertical interval: a line with a bar at either end. */
export function uprightInterval(x: number, low: number, high: number): string {
  const [left, at, right] = [x - half, x, x + half].map((one) => one.toFixed(1));
  const [from, to] = [low, high].map((one) => one.toFixed(1));
  return element('path', {
    class: 'stroke interval',
    d: `M${left},${from}H${right}M${at},${from}V${to}M${left},${to}H${right}`,
  });
}

/** Draws a horizontal interval, like {@link uprightInterval}. */
export function lyingInterval(low: number, high: number, y: number): string {
  const [above, at, below] = [y - half, y, y + half].map((one) => one.toFixed(1));
  const [from, to] = [low, high].map((one) => one.toFixed(1));
  return element('path', {
    class: 'stroke interval',
    d: `M${from},${above}V${below}M${from},${at}H${to}M${to},${above}V${below}`,
  });
}

/** Returns an interval as text for a title; empty if there is none. */
export function intervalText({ interval }: Pick<DrawnPoint, 'interval'>): string {
  return interval === undefined ? '' : `, ± ${threeDigits((interval.high - interval.low) / 2)} at 95 % confidence`;
}

export type Scale = ScaleContinuousNumeric<number, number>;

/** Returns a scale over all values. A linear scale begins at 0, so that lengths can be compared. */
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

/** Returns ticks with sufficient distance between them; on a logarithmic axis 1, 2 and 5 of each decade, or fewer. */
export function ticksOf(scale: Scale, axis: Axis): number[] {
  const [from = 0, to = 0] = scale.range();
  const max = Math.max(2, Math.floor(Math.abs(to - from) / tickRoom));
  if (axis.scale !== 'log') return scale.ticks(Math.min(6, max));
  const candidates = [[1, 2, 5], [1, 3], [1]].map((steps) => decimals(scale.domain(), steps));
  return candidates.find((some) => some.length <= max && some.length > 0) ?? candidates[0]!.slice(0, 1);
}

/** Returns the products of each decade with some factors, inside a domain. */
function decimals([from = 1, to = 1]: number[], steps: readonly number[]): number[] {
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => 10 ** (first + index));
  return decades
    .flatMap((decade) => steps.map((step) => step * decade))
    .filter((value) => value >= from && value <= to);
}
