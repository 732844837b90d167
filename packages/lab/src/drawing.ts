/**
 * The figures as SVG, drawn with D3's scales and shapes: {@link inlineSvg} for inside a page, whose colours it takes,
 * {@link standaloneSvg} as a file of its own; {@link drawRows} and {@link drawMap} for what has names on an axis, {@link shortestSlot} of
 * how long a slot must be.
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
