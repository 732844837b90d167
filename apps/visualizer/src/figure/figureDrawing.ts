import { confidenceInterval, fitLine, type Interval, type ProtocolName, type RunResult } from '@tutti/simulation';
import { protocolTitles } from '../words.ts';
import { axes, type FigurePlan, pointsOf, quantities } from './figurePlan.ts';

/** A mark of a figure: the mean over its seeds; undefined where no run measured anything. */
export interface MeasuredPoint {
  readonly protocol: ProtocolName;
  readonly x: number;
  readonly mean: number | undefined;
  readonly interval: Interval | undefined;
  readonly seeds: number;
}

/** The mean over seeds, and where it lies with 95 % confidence. @param values one a seed that measured something. */
export function measured(protocol: ProtocolName, x: number, values: readonly number[]): MeasuredPoint {
  const mean = values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  return { protocol, x, mean, interval: confidenceInterval(values), seeds: values.length };
}

/** The marks of a plan's runs, which are in the order of its points. */
export function pointsMeasured(plan: FigurePlan, runs: readonly RunResult[]): readonly MeasuredPoint[] {
  return pointsOf(plan).map(({ protocol, x }, place) => {
    const own = runs.slice(place * plan.seeds, (place + 1) * plan.seeds);
    return measured(
      protocol,
      x,
      own.flatMap((run) => quantities[plan.y].of(run) ?? []),
    );
  });
}

/** What a figure is drawn of, in points of 1/72 inch from the upper left; SVG and PDF are made of the same. */
export type Shape =
  | {
      readonly kind: 'line';
      readonly points: readonly (readonly [number, number])[];
      readonly colour: string;
      readonly width: number;
    }
  | { readonly kind: 'mark'; readonly at: readonly [number, number]; readonly form: number; readonly colour: string }
  | {
      readonly kind: 'text';
      readonly at: readonly [number, number];
      readonly text: string;
      readonly size: number;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly isUpright?: boolean;
    };

export interface DrawnPlan {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** Apart in lightness too, so that they can be told in grey; each protocol also has a mark of its own. */
const colours: Readonly<Record<ProtocolName, string>> = {
  handel: '#8a5a00',
  'san-fermin': '#2f66b3',
  'complete-graph': '#1b1e24',
  gossip: '#7d8591',
};
const forms: Readonly<Record<ProtocolName, number>> = { handel: 0, 'san-fermin': 4, 'complete-graph': 3, gossip: 5 };
const ink = '#1b1e24';
const grid = '#dddddd';
const size = 7.5;

/** Draws a figure: axes with units, a line and marks with intervals a protocol, a legend with fits. */
export function drawPlan(plan: FigurePlan, points: readonly MeasuredPoint[]): DrawnPlan {
  const width = (plan.widthMm * 72) / 25.4;
  const legendRows = plan.protocols.length;
  const top = (plan.title === '' ? 6 : 20) + legendRows * 10 + 4;
  const plot = { left: 42, right: width - 8, top, bottom: top + width * 0.52 };
  const height = plot.bottom + 30;
  const shown = points.flatMap((point) => (point.mean === undefined ? [] : [{ ...point, mean: point.mean }]));
  const x = scale(axes[plan.x].values, plan.isLogX, plot.left, plot.right);
  const highs = shown.flatMap(({ mean, interval }) => [mean, interval?.high ?? mean, interval?.low ?? mean]);
  const y = scale(plan.isLogY ? highs.filter((one) => one > 0) : [0, ...highs], plan.isLogY, plot.bottom, plot.top);
  const shapes: Shape[] = [];
  const line = (from: readonly [number, number], to: readonly [number, number], colour = ink, weight = 0.6) =>
    shapes.push({ kind: 'line', points: [from, to], colour, width: weight });
  const text = (at: readonly [number, number], words: string, anchor: 'start' | 'middle' | 'end', isUpright = false) =>
    shapes.push({ kind: 'text', at, text: words, size, anchor, isUpright });

  if (plan.title !== '') shapes.push({ kind: 'text', at: [plot.left, 13], text: plan.title, size: 9, anchor: 'start' });
  for (const tick of y.ticks) {
    line([plot.left, y.at(tick)], [plot.right, y.at(tick)], grid, 0.4);
    text([plot.left - 4, y.at(tick) + size * 0.35], numberWords(tick), 'end');
  }
  for (const value of axes[plan.x].values) {
    line([x.at(value), plot.bottom], [x.at(value), plot.bottom + 3]);
    text([x.at(value), plot.bottom + 11], numberWords(value), 'middle');
  }
  line([plot.left, plot.bottom], [plot.right, plot.bottom]);
  line([plot.left, plot.top], [plot.left, plot.bottom]);
  text([(plot.left + plot.right) / 2, plot.bottom + 23], axes[plan.x].label, 'middle');
  text([9, (plot.top + plot.bottom) / 2], quantities[plan.y].label, 'middle', true);

  plan.protocols.forEach((protocol, row) => {
    const own = shown.filter((point) => point.protocol === protocol);
    const colour = colours[protocol];
    const path = own.map((point) => [x.at(point.x), y.at(point.mean)] as const);
    if (path.length > 1) shapes.push({ kind: 'line', points: path, colour, width: 1 });
    for (const { x: value, mean, interval } of own) {
      if (interval !== undefined) {
        const [low, high] = [
          y.at(plan.isLogY ? Math.max(interval.low, mean / 100) : interval.low),
          y.at(interval.high),
        ];
        line([x.at(value), low], [x.at(value), high], colour);
        for (const end of [low, high]) line([x.at(value) - 2, end], [x.at(value) + 2, end], colour);
      }
      shapes.push({ kind: 'mark', at: [x.at(value), y.at(mean)], form: forms[protocol], colour });
    }
    const at = (plan.title === '' ? 10 : 24) + row * 10;
    shapes.push({ kind: 'mark', at: [plot.left + 4, at - 2.5], form: forms[protocol], colour });
    text([plot.left + 12, at], `${protocolTitles[protocol]}${fitWords(plan, own)}`, 'start');
  });
  return { width, height, shapes };
}

/** The line through a protocol's means, against log2 where x is logarithmic by nature. */
function fitWords({ x }: Pick<FigurePlan, 'x'>, own: readonly { readonly x: number; readonly mean: number }[]): string {
  if (own.length < 3) return '';
  const { isLog } = axes[x];
  const { intercept, slope, r2 } = fitLine(own.map((point) => [isLog ? Math.log2(point.x) : point.x, point.mean]));
  if (!Number.isFinite(r2)) return '';
  const sign = slope < 0 ? '-' : '+';
  return `: ${digits(intercept)} ${sign} ${digits(Math.abs(slope))} ${isLog ? 'log2 x' : 'x'}, R\u00b2 ${r2.toFixed(2)}`;
}

interface AxisScale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

function scale(values: readonly number[], isLog: boolean, from: number, to: number): AxisScale {
  const positive = isLog ? values.filter((value) => value > 0) : values;
  let [low, high] = [Math.min(...positive), Math.max(...positive)];
  if (!Number.isFinite(low)) [low, high] = isLog ? [1, 10] : [0, 1];
  if (isLog) {
    const [first, last] = [Math.log10(low) - 0.05, Math.log10(high) + 0.05];
    // Where x is 0, as without attackers, a logarithm has no place for it: it stands at the edge.
    const at = (value: number) =>
      from + ((Math.log10(Math.max(value, 10 ** first)) - first) / (last - first)) * (to - from);
    const ticks: number[] = [];
    for (let power = Math.floor(first); power <= Math.ceil(last); power++)
      for (const step of [1, 2, 5]) {
        const tick = step * 10 ** power;
        if (tick >= 10 ** first && tick <= 10 ** last) ticks.push(tick);
      }
    return { ticks, at };
  }
  const step = niceStep((high - low) / 5);
  const last = Math.max(low + step, Math.ceil(high / step) * step);
  const margin = values.includes(0) && low === 0 ? 0 : (high - low) * 0.04;
  const begin = low - margin;
  const end = values.length > 0 && to < from ? last : high + (high - low) * 0.04;
  const ticks = Array.from({ length: Math.floor((last - low) / step + 1e-9) + 1 }, (_, place) => low + place * step);
  return { ticks, at: (value) => from + ((value - begin) / (end - begin)) * (to - from) };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  return ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10) * power;
}

function numberWords(value: number): string {
  if (value >= 1000) return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
  return String(Number(value.toPrecision(3)));
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
