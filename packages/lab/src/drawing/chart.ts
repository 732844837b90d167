import type { DrawnChart, Figure } from '../experiments/figure.ts';
import { type Drawing, drawLines } from './lines.ts';
import { element, escaped } from './marks.ts';
import { drawRows } from './rows.ts';
import { type Background, standalonePaper, standaloneStyle } from './theme.ts';

/** Width of a wide chart, pixels. A page shows this or the narrow one, so that letters keep their size. */
export const wide = 720;
/** Width of a narrow chart, pixels. */
export const narrow = 340;

function draw(figure: Figure, chart: DrawnChart, width: number): Drawing {
  return chart.x.scale === 'names' ? drawRows(chart, width) : drawLines(figure, chart, width);
}

/** Draws a chart for a page, from which it takes its colours and its font. */
export function inlineSvg(figure: Figure, chart: DrawnChart, width: number): string {
  const { svg, height } = draw(figure, chart, width);
  return element(
    'svg',
    {
      class: `chart ${width === wide ? 'wide' : 'narrow'}`,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': chart.title,
    },
    svg,
  );
}

/** Draws all charts of a figure, one below the other, as a file. @param width width of the charts, pixels. */
export function standaloneSvg(
  figure: Figure,
  title: string,
  background: Background = 'paper',
  width: number = wide,
): string {
  return onPaper(
    figure.charts.map((chart) => ({ title: chart.title, drawing: draw(figure, chart, width) })),
    title,
    background,
  );
}

/** Combines drawings, one below the other, into a file. */
export function onPaper(
  drawings: readonly { readonly title: string; readonly drawing: Drawing }[],
  title: string,
  background: Background = 'paper',
): string {
  const margin = 20;
  const parts: string[] = [];
  let y = margin;
  for (const { title, drawing } of drawings) {
    parts.push(element('text', { class: 'ink', x: margin, y: y + 14, 'font-weight': 'bold' }, escaped(title)));
    parts.push(element('g', { transform: `translate(${margin},${y + 26})` }, drawing.svg));
    y += 26 + drawing.height + margin;
  }
  const width = Math.max(...drawings.map(({ drawing }) => drawing.width)) + 2 * margin;
  const paper = standalonePaper(background);
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: y,
      viewBox: `0 0 ${width} ${y}`,
      'font-family': 'DejaVu Sans, system-ui, sans-serif',
    },
    element('title', {}, escaped(title)),
    element('style', {}, standaloneStyle(background)),
    ...(paper === undefined ? [] : [element('rect', { width, height: y, fill: paper })]),
    ...parts,
  )}\n`;
}
