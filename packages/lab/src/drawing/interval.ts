import type { DrawnPoint } from '../experiments/figure.ts';
import { threeDigits } from '../experiments/wording.ts';
import { element } from './element.ts';

/** Half of a bar's end, pixels. */
const half = 5;

/**
 * The ends of a mark's confidence interval as they are drawn: no time is under 0, whatever the formula says of two
 * seeds.
 */
export function intervalEnds({ y, interval }: Pick<DrawnPoint, 'y' | 'interval'>): readonly number[] {
  if (y === undefined || interval === undefined) return [];
  return [y.min >= 0 ? Math.max(0, interval.low) : interval.low, interval.high];
}

/** An upright interval: a line with a bar at either end. */
export function uprightInterval(x: number, low: number, high: number): string {
  const [left, at, right] = [x - half, x, x + half].map((one) => one.toFixed(1));
  const [from, to] = [low, high].map((one) => one.toFixed(1));
  return element('path', {
    class: 'stroke interval',
    d: `M${left},${from}H${right}M${at},${from}V${to}M${left},${to}H${right}`,
  });
}

/** As {@link uprightInterval}, along a row. */
export function lyingInterval(low: number, high: number, y: number): string {
  const [above, at, below] = [y - half, y, y + half].map((one) => one.toFixed(1));
  const [from, to] = [low, high].map((one) => one.toFixed(1));
  return element('path', {
    class: 'stroke interval',
    d: `M${from},${above}V${below}M${from},${at}H${to}M${to},${above}V${below}`,
  });
}

/** For a title; empty if there is none. */
export function intervalText({ interval }: Pick<DrawnPoint, 'interval'>): string {
  return interval === undefined ? '' : `, ± ${threeDigits((interval.high - interval.low) / 2)} at 95 % confidence`;
}
