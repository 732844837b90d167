import { area, axisBottom, line, scaleLinear, select } from 'd3';
import { figure } from '../numberWords.ts';
import { columnAt, columnTimeUs } from '../timeline/heldGrid.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { sharpCanvas } from './canvas.ts';
import type { Palette } from './palette.ts';
import { type ProgressLayout, progressLayout, rowAt, rowY, timeAt } from './progressLayout.ts';
import { ProgressStrip } from './progressStrip.ts';

/** The nodes of a row of the strip, and what the live ones hold on average. */
export interface RowOfNodes {
  readonly from: number;
  readonly to: number;
  readonly held: number;
}

/** The whole network at once: what each node holds at each time, and the slowest, the mean and the fastest of them. */
export class ProgressView {
  readonly #host: HTMLElement;
  readonly #surface;
  readonly #svg;
  readonly #strip = new ProgressStrip();
  #palette: Palette;
  #index: RunIndex | undefined;
  #layout: ProgressLayout | undefined;
  /** Curves and the strip are drawn when they are seen: of a large run that takes a while. */
  #isLaidOut = false;
  #isPainted = false;
  #node = 0;

  constructor(
    host: HTMLElement,
    palette: Palette,
    on: { select: (node: number) => void; seek: (timeUs: number) => void },
  ) {
    this.#host = host;
    this.#palette = palette;
    this.#surface = sharpCanvas(host);
    this.#svg = select(host).append('svg').attr('class', 'progress').attr('role', 'img');
    this.#svg.attr('aria-label', 'What everyone holds over time, drawn when it comes into sight.');
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

  /** A node of the row at a place of the host: the first that lives, where one does. */
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
    // What is laid out for another width must not widen the page until it is seen again.
    if (this.#isLaidOut) {
      this.#surface.resize(0, 0);
      this.#svg.attr('width', 0).selectAll('*').remove();
    }
    this.#isLaidOut = false;
  }

  #layOut({ width, height }: ProgressLayout): void {
    this.#isLaidOut = true;
    this.#isPainted = false;
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
    const svg = this.#svg;
    svg.selectAll('*').remove();
    svg.attr('width', layout.width).attr('height', layout.height);

    const axis = axisBottom(x)
      .ticks(Math.max(3, Math.floor((layout.right - layout.left) / 90)))
      .tickSize(4)
      .tickFormat((value) => `${value} ms`);
    svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${layout.curves.bottom})`).call(axis);

    svg
      .append('path')
      .attr('class', 'spread')
      .attr(
        'd',
        area<number>()
          .x(at)
          .y0((column) => y(grid.min[column]!))
          .y1((column) => y(grid.max[column]!))(columns),
      );
    svg
      .append('path')
      .attr('class', 'mean')
      .attr(
        'd',
        line<number>()
          .x(at)
          .y((column) => y(grid.mean[column]!))(columns),
      );

    const thresholdY = y(world.threshold);
    svg
      .append('line')
      .attr('class', 'threshold')
      .attr('x1', layout.left)
      .attr('x2', layout.right)
      .attr('y1', thresholdY)
      .attr('y2', thresholdY);
    svg
      .append('text')
      .attr('class', 'threshold-name')
      .attr('x', layout.left + 6)
      .attr('y', thresholdY - 5)
      .text(`threshold, ${figure(world.threshold)}`);
    this.#nameCurves(at, y);

    const left = svg.append('g').attr('class', 'axis');
    const label = (text: string, at: number) =>
      left
        .append('text')
        .attr('x', layout.left - 8)
        .attr('y', at)
        .attr('text-anchor', 'end')
        .attr('dy', '0.32em')
        .text(text);
    label('0', layout.strip.top + 6);
    label(figure(world.nodes - 1), layout.strip.bottom - 6);
    label('0', layout.curves.bottom);
    svg.append('path').attr('class', 'row-mark');
    svg.append('text').attr('class', 'row-name').attr('text-anchor', 'end').attr('dy', '0.32em');
    svg.append('rect').attr('class', 'row-band');
    svg
      .append('rect')
      .attr('class', 'veil')
      .attr('y', layout.strip.top)
      .attr('height', layout.curves.bottom - layout.strip.top);
    svg
      .append('line')
      .attr('class', 'playhead')
      .attr('y1', layout.strip.top - 4)
      .attr('y2', layout.curves.bottom + 4);
  }

  /** Names the three curves where they are furthest apart, so that no legend is needed. */
  #nameCurves(at: (column: number) => number, y: (held: number) => number): void {
    const [{ grid, done }, layout] = [this.#index!, this.#layout!];
    if (layout.width < 560 || !done) return;
    let widest = 0;
    for (let column = 0; column < grid.columns; column++) {
      if (grid.max[column]! - grid.min[column]! > grid.max[widest]! - grid.min[widest]!) widest = column;
    }
    const name = (text: string, held: number, anchor: string, dx: number, dy: number) =>
      this.#svg
        .append('text')
        .attr('class', 'curve-name')
        .attr('text-anchor', anchor)
        .attr('x', at(widest) + dx)
        .attr('y', y(held) + dy)
        .text(text);
    name('fastest', (grid.max[widest]! * 2 + grid.mean[widest]!) / 3, 'end', -8, 0);
    name('slowest', grid.min[widest]!, 'start', 10, 0);
  }

  draw(timeUs: number): void {
    const [index, layout] = [this.#index, this.#layout];
    if (!index || !layout) return;
    if (!this.#isLaidOut) this.#layOut(layout);
    const { context, width, height } = this.#surface;
    const { strip, left, right } = layout;
    const { grid, recording } = index;
    const { world } = recording;
    if (!this.#isPainted) this.#strip.paint(index, layout, this.#palette, this.#surface.ratio);
    this.#isPainted = true;
    context.clearRect(0, 0, width, height);
    this.#strip.draw(context, layout);

    const x = left + (index.spanUs === 0 ? 0 : timeUs / index.spanUs) * (right - left);
    this.#svg.select('.playhead').attr('x1', x).attr('x2', x);
    this.#svg
      .select('.veil')
      .attr('x', x)
      .attr('width', Math.max(0, right - x));
    const y = rowY(layout, grid.rows, Math.floor(this.#node / grid.perRow));
    const half = Math.max(1.5, (strip.bottom - strip.top) / grid.rows / 2);
    this.#svg
      .select('.row-band')
      .attr('x', left)
      .attr('width', right - left)
      .attr('y', y - half)
      .attr('height', half * 2);
    this.#svg.select('.row-mark').attr('d', `M${left - 2} ${y}l-5 -4v8z`);
    const nameY = Math.min(Math.max(y, strip.top + 6), strip.bottom - 6);
    this.#svg
      .select('.row-name')
      .attr('x', left - 10)
      .attr('y', nameY)
      .text(figure(this.#node));
    this.#svg.attr(
      'aria-label',
      `Progress of ${figure(world.nodes)} nodes over ${figure(Math.round(index.spanUs / 1000))} ms, threshold ${figure(world.threshold)}.`,
    );
  }
}
