import { version } from '@tutti/core';
import type { Figure } from '@tutti/lab';
import { type FigurePlan, sweepOf } from './figurePlan.ts';

/** What a figure says of itself: the command that prints the same numbers, its seeds, and the version. */
export function originOf(plan: FigurePlan): string {
  const sweep = JSON.stringify(sweepOf(plan));
  return `Tutti ${version}; seeds 1 to ${plan.seeds}; bars: 95 % of the mean over seeds; tutti sweep figure.json --out runs.csv, figure.json: ${sweep}`;
}

/** One row per mark, after a line that says where the numbers are from. */
export function figureCsv(plan: FigurePlan, figure: Figure): string {
  const rows = figure.charts[0]!.drawn.flatMap(({ name, measure, points }) =>
    points.map(({ x, y, interval, runs }) => {
      const seeds = runs.filter((run) => measure.of(run) !== undefined).length;
      return [name, x, y?.mean ?? '', interval?.low ?? '', interval?.high ?? '', seeds].join(',');
    }),
  );
  return [`# ${originOf(plan)}`, `protocol,${plan.x},${plan.y},low,high,seeds`, ...rows, ''].join('\n');
}
