import type { DrawnSeries } from './figure.ts';
import { threeDigits } from './wording.ts';

/**
 * From this difference on, percent, a mean is reported to differ from the published one: what the calibrated model is
 * allowed in checks and bytes.
 */
const leastPercent = 25;

/**
 * The mean that is furthest from the one published at the same place, if it is far: `at 49 nodes the mean is 50 % over
 * the published one`.
 *
 * @param place names an x.
 */
export function differenceFromPublished(
  { points, published = [] }: DrawnSeries,
  place: (x: string) => string,
): string | undefined {
  const deviations = points.flatMap(({ x, y }) => {
    const other = published.find((one) => one.x === x);
    return other === undefined || y === undefined ? [] : [{ x: Number(x), percent: 100 * (y.mean / other.mean - 1) }];
  });
  const furthest = deviations.sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent))[0];
  if (furthest === undefined || Math.abs(furthest.percent) < leastPercent) return undefined;
  const { x, percent } = furthest;
  return `${place(threeDigits(x))} the mean is ${threeDigits(Math.round(Math.abs(percent)))} % ${percent < 0 ? 'under' : 'over'} the published one`;
}
