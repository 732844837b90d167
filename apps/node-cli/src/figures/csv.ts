import type { Figure } from '@tutti/lab';

const head =
  'chart,series,x,unit,min,mean,max,ci95_low,ci95_high,live,reached,seeds,published_min,published_mean,published_max';

/** Returns the measured numbers of a figure without rounding, one line per mark. */
export function csvOf(figure: Figure): string {
  const lines = figure.charts.flatMap((chart) => [
    ...chart.drawn.flatMap((series) => {
      const { name, points, measure, published = [] } = series;
      const rows = points.map(({ x, y, interval, live, reached, runs }) => {
        const other = published.find((point) => point.x === x);
        return [
          chart.title,
          name,
          x,
          measure.unit,
          y?.min,
          y?.mean,
          y?.max,
          interval?.low,
          interval?.high,
          live,
          reached,
          runs.length,
          other?.min,
          other?.mean,
          other?.max,
        ];
      });
      const alone = published.filter((other) => points.every(({ x }) => x !== other.x));
      return [
        ...rows,
        ...alone.map(({ x, min, mean, max }) => [
          chart.title,
          name,
          x,
          measure.unit,
          ...Array(8).fill(undefined),
          min,
          mean,
          max,
        ]),
      ];
    }),
    ...figure
      .curves(chart)
      .flatMap(({ name, points }) =>
        points.map(({ x, y }) => [chart.title, name, x, '', undefined, y, ...Array(9).fill(undefined)]),
      ),
  ]);
  return `${[head, ...lines.map((cells) => cells.map(cell).join())].join('\n')}\n`;
}

function cell(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
