import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import type { Axis } from '../experiments/figure.ts';

export type Scale = ScaleContinuousNumeric<number, number>;

/** A scale over all values: from 0 where it is linear, so that lengths can be compared. */
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

/** Least distance between two labels, pixels. */
const tickRoom = 40;

/** Ticks that do not crowd: on a logarithmic axis 1, 2 and 5 of each decade, or fewer. */
export function ticksOf(scale: Scale, axis: Axis): number[] {
  const [from = 0, to = 0] = scale.range();
  const most = Math.max(2, Math.floor(Math.abs(to - from) / tickRoom));
  if (axis.scale !== 'log') return scale.ticks(Math.min(6, most));
  const candidates = [[1, 2, 5], [1, 3], [1]].map((steps) => decimals(scale.domain(), steps));
  return candidates.find((some) => some.length <= most && some.length > 0) ?? candidates[0]!.slice(0, 1);
}

/** Each decade's multiples by some steps, inside a domain. */
function decimals([from = 1, to = 1]: number[], steps: readonly number[]): number[] {
  const first = Math.floor(Math.log10(from));
  const decades = Array.from({ length: Math.ceil(Math.log10(to)) - first + 1 }, (_, index) => 10 ** (first + index));
  return decades
    .flatMap((decade) => steps.map((step) => step * decade))
    .filter((value) => value >= from && value <= to);
}
