import { area, line, scaleLinear } from 'd3';
import { nothing, render, svg } from 'lit-html';
import { figure } from '../formatNumber.ts';
import { columnAt, columnTimeUs } from '../timeline/contributionGrid.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { sharpCanvas } from './canvas.ts';
import { axisBelow, drawingIn, lineFrom, moveHand, set, textAt } from './drawing.ts';
import type { Palette } from './palette.ts';
import { type ProgressLayout, progressLayout, rowAt, rowY, timeAt } from './progressLayout.ts';
import { ProgressStrip } from './progressStrip.ts';

/** Nodes of a row in the strip, with the mean number of contributions that the live nodes hold. */
interface RowOfNodes {
  readonly from: number;
  readonly to: number;
  readonly held: number;
}

/** Draws the whole network in one picture: the contributions of each node at each time, and the min, mean and max. */
export class ProgressView {
  readonly #host: HTMLElement;
  readonly #surface;
  readonly #svg: SVGSVGElement;
  readonly #strip = new ProgressStrip();
  #palette: Palette;
  #index: RunIndex | undefined;
  #layout: ProgressLayout | undefined;
  /** Whether curves and strip are drawn. This happens when they become visible, because large runs take long. */
  #isLaidOut = false;
  #isPainted = false;
  #node = 0;
  /** Node that the drawing marks; undefined if there is none. */
  #marked: number | undefined;

  constructor(
    host: HTMLElement,
    palette: Palette,
    on: { select: (node: number) => void; seek: (timeUs: number) => void },
  ) {
    this.#host = host;
    this.#palette = palette;
    this.#surface = sharpCanvas(host);
    this.#svg = drawingIn(host, 'progress', 'Signatures of all nodes over time, drawn when scrolled into view.');
    host.addEventListener('pointerdown', (event) => {
      const { x, y } = this.#place(event);
      const node = this.nodeUnder(x, y);
      if (node !== undefined) on.select(node);
      else if (this.#layout && y >= this.#layout.strip.bottom) {
        host.setPointerCapture(event.pointerId);
        on.seek(this.timeUnder(x));
      }
    });
    host.addEventListener('pointermove', (event) => {
      if (host.hasPointerCapture(event.pointerId)) on.seek(this.timeUnder(this.#place(event).x));
    });
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#isPainted = false;
  }

  set node(node: number) {
    this.#node = node;
  }

  /** Returns a node of the row at a position of the host: the first live node, if there is one. */
  nodeUnder(x: number, y: number): number | undefined {
    const row = this.rowUnder(x, y);
    if (!row || !this.#index) return undefined;
    const live = this.#index.recording.world.alive.subarray(row.from, row.to).indexOf(1);
    return row.from + Math.max(0, live);
  }

  rowUnder(x: number, y: number): RowOfNodes | undefined {
    if (!this.#layout || !this.#index) return undefined;
    const { recording, grid, spanUs } = this.#index;
    const row = rowAt(this.#layout, grid.rows, x, y);
    if (row === undefined) return undefined;
    const column = columnAt(this.timeUnder(x), grid.columns, spanUs);
    const from = row * grid.perRow;
    return {
      from,
      to: Math.min(recording.world.nodes, from + grid.perRow),
      held: column < 0 ? 0 : grid.held[row * grid.columns + column]!,
    };
  }

  timeUnder(x: number): number {
    return this.#layout && this.#index ? timeAt(this.#layout, this.#index.spanUs, x) : 0;
  }

  #place(event: PointerEvent): { x: number; y: number } {
    const box = this.#host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  show(index: RunIndex): void {
    this.#index = index;
    this.resize();
  }

  resize(): void {
    const index = this.#index;
    if (!index) return;
    const { world } = index.recording;
    const layout = progressLayout(world.nodes, Math.max(280, this.#host.clientWidth));
    this.#layout = layout;
    this.#host.style.minHeight = `${layout.height}px`;
    // A layout for another width must not widen the page until it is visible again.
    if (this.#isLaidOut) {
      this.#surface.resize(0, 0);
      set(this.#svg, { width: 0 });
      render(nothing, this.#svg);
    }
    this.#isLaidOut = false;
  }

  #layOut({ width, height }: ProgressLayout): void {
    this.#isLaidOut = true;
    this.#isPainted = false;
    this.#marked = undefined;
    this.#surface.resize(width, height);
    this.#drawCurves();
  }

  #drawCurves(): void {
    const [index, layout] = [this.#index!, this.#layout!];
    const { grid } = index;
    const { world } = index.recording;
    const x = scaleLinear([0, index.spanUs / 1000], [layout.left, layout.right]);
    const y = scaleLinear([0, world.nodes], [layout.curves.bottom, layout.curves.top]);
    const columns = Array.from({ length: grid.known }, (_, column) => column);
    const at = (column: number) => x(columnTimeUs(column, grid.columns, grid.spanUs) / 1000);
    const { left, right, strip, curves } = layout;
    const label = (text: string, at: number) =>
      svg`<text x=${left - 8} y=${at} text-anchor="end" dy="0.32em">${text}</text>`;
    const spread = area<number>(
      at,
      (column) => y(grid.min[column]!),
      (column) => y(grid.max[column]!),
    );
    const mean = line<number>(at, (column) => y(grid.mean[column]!));
    const threshold = y(world.threshold);
    set(this.#svg, { width: layout.width, height: layout.height });
    render(
      svg`${axisBelow(x, curves.bottom, 'ms')}<path class="spread" d=${spread(columns)}></path><path class="mean" d=${mean(columns)}></path>${lineFrom('threshold', [left, threshold], [right, threshold])}${textAt('threshold-name', [left + 6, threshold - 5], `threshold, ${figure(world.threshold)}`)}${this.#curveNames(at, y)}<g class="axis">${label('0', strip.top + 6)}${label(figure(world.nodes - 1), strip.bottom - 6)}${label('0', curves.bottom)}</g><path class="row-mark"></path><text class="row-name" text-anchor="end" dy="0.32em"></text><rect class="row-band"></rect><rect class="veil" x=${left - right} width=${right - left} y=${strip.top} height=${curves.bottom - strip.top}></rect><line class="playhead" y1=${strip.top - 4} y2=${curves.bottom + 4}></line>`,
      this.#svg,
    );
  }

  /** Returns the names of the three curves, placed where the curves are farthest apart, instead of a legend. */
  #curveNames(at: (column: number) => number, y: (held: number) => number): unknown {
    const [{ grid, done }, layout] = [this.#index!, this.#layout!];
    if (layout.width < 560 || !done) return nothing;
    let widest = 0;
    for (let column = 0; column < grid.columns; column++) {
      if (grid.max[column]! - grid.min[column]! > grid.max[widest]! - grid.min[widest]!) widest = column;
    }
    const fastest = (grid.max[widest]! * 2 + grid.mean[widest]!) / 3;
    return [
      textAt('curve-name', [at(widest) - 8, y(fastest)], 'fastest', { anchor: 'end' }),
      textAt('curve-name', [at(widest) + 10, y(grid.min[widest]!)], 'slowest', { anchor: 'start' }),
    ];
  }

  draw(timeUs: number): void {
    const [index, layout] = [this.#index, this.#layout];
    if (!index || !layout) return;
    if (!this.#isLaidOut) this.#layOut(layout);
    const { context, width, height } = this.#surface;
    const { strip, left, right } = layout;
    const { grid, recording } = index;
    const { world } = recording;
    if (!this.#isPainted) {
      this.#strip.paint(index, layout, this.#palette, this.#surface.ratio);
      context.clearRect(0, 0, width, height);
      this.#strip.draw(context, layout);
    }
    this.#isPainted = true;
    moveHand(this.#svg, left + (index.spanUs === 0 ? 0 : timeUs / index.spanUs) * (right - left), layout);
    if (this.#marked === this.#node) return;
    this.#marked = this.#node;
    const y = rowY(layout, grid.rows, Math.floor(this.#node / grid.perRow));
    const half = Math.max(1.5, (strip.bottom - strip.top) / grid.rows / 2);
    const nameY = Math.min(Math.max(y, strip.top + 6), strip.bottom - 6);
    const find = (kind: string) => this.#svg.querySelector(kind);
    set(find('.row-band'), { x: left, width: right - left, y: y - half, height: half * 2 });
    set(find('.row-mark'), { d: `M${left - 2} ${y}l-5 -4v8z` });
    set(find('.row-name'), { x: left - 10, y: nameY });
    find('.row-name')!.textContent = figure(this.#node);
    set(this.#svg, {
      'aria-label': `Progress of ${figure(world.nodes)} nodes over ${figure(Math.round(index.spanUs / 1000))} ms, threshold ${figure(world.threshold)}.`,
    });
  }
}
