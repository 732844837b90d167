import type { DrawnChart, Figure } from '../experiments/figure.ts';
import { type Drawing, drawLines } from './lines.ts';
import { element, escaped } from './marks.ts';
import { drawRows } from './rows.ts';
import { type Background, standalonePaper, standaloneStyle } from './theme.ts';

/** Pixels; a page shows one or the other, so that letters keep their size. */
export const wide = 720;
export const narrow = 340;

function draw(figure: Figure, chart: DrawnChart, width: number): Drawing {
  return chart.x.scale === 'names' ? drawRows(chart, width) : drawLines(figure, chart, width);
}

/** A chart for inside a page: it takes its colours and its font from there. */
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

/** All charts of a figure under each other, as a file of its own. @param width of the charts, pixels. */
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

/** Drawings under each other, as a file of its own. */
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
