import { expected, requireArray } from '@tutti/core/settings';

/** A straight line through points by least squares, and how much of their variance it explains. */
export interface Fit {
  readonly slope: number;
  readonly intercept: number;
  /** R^2, 1 when the points lie on the line. */
  readonly r2: number;
  at(x: number): number;
}

/** @param points at least two with different x. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Fit {
  requireArray('points', points);
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  if (!(xx > 0)) throw new RangeError(expected('points', 'two or more, of different x', count));
  const slope = xy / xx;
  const intercept = meanY - slope * meanX;
  return { slope, intercept, r2: yy === 0 ? 1 : (xy * xy) / (xx * yy), at: (x) => intercept + slope * x };
}
