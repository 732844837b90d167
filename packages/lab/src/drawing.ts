/**
 * Figures as SVG, drawn with D3's scales and shapes. {@link inlineSvg} draws for a page and takes its colours from it.
 * {@link standaloneSvg} makes a file. {@link drawRows} and {@link drawMap} draw charts with names on an axis.
 * {@link shortestSlot} draws the shortest sufficient slots.
 *
 * @packageDocumentation
 */
export { inlineSvg, narrow, onPaper, standaloneSvg, wide } from './drawing/chart.ts';
export type { Drawing } from './drawing/lines.ts';
export { drawMap, type SlotMap } from './drawing/map.ts';
export { escaped } from './drawing/marks.ts';
export { type Plot, type PlottedPoint, plotSvg } from './drawing/plot.ts';
export { drawRows, type RowsChart } from './drawing/rows.ts';
export { type InputsMap, shortestSlot } from './drawing/shortestSlot.ts';
