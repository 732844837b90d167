import type { Axis } from '@tutti/core';
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';

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

/** Ticks that do not crowd: on a logarithmic axis 1, 2 and 5 of each decade, or fewer of them. */
export function ticksOf(scale: Scale, axis: Axis): number[] {
  const [from = 0, to = 0] = scale.range();
  const most = Math.max(2, Math.floor(Math.abs(to - from) / tickRoom));
  if (axis.scale !== 'log') return scale.ticks(Math.min(6, most));
  const all = scale.ticks(100);
  const candidates = ['125', '15', '1'].map((leading) =>
    all.filter((value) => leading.includes(value.toExponential()[0]!)),
  );
  return candidates.find((some) => some.length <= most && some.length > 0) ?? all.slice(0, 1);
}
