import { area, axisBottom, line, scaleLinear, select } from 'd3';
import { columnTimeUs, type HeldGrid, heldGrid } from '../timeline/heldGrid.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { sharpCanvas } from './canvas.ts';
import { deadIndex, heldIndex, type Palette } from './palette.ts';
import { type ProgressLayout, progressLayout, rowAt, rowY, timeAt } from './progressLayout.ts';

/** The whole network at once: what each node holds at each time, and the slowest, the mean and the fastest of them. */
export class ProgressView {
  readonly #host: HTMLElement;
  readonly #surface;
  readonly #svg;
  readonly #strip = document.createElement('canvas');
  #palette: Palette;
  #index: RunIndex | undefined;
  #grid: HeldGrid | undefined;
  #layout: ProgressLayout | undefined;
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
    this.#paintStrip();
  }

  set node(node: number) {
    this.#node = node;
  }

  nodeUnder(x: number, y: number): number | undefined {
    if (!this.#layout || !this.#index) return undefined;
    return rowAt(this.#layout, this.#index.recording.world.nodes, x, y);
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
    this.#surface.resize(layout.width, layout.height);
    this.#grid = heldGrid(index, Math.max(64, Math.round(layout.right - layout.left)));
    this.#paintStrip();
    this.#drawCurves();
  }

  #paintStrip(): void {
    const grid = this.#grid;
    if (!grid || !this.#index) return;
    const { world } = this.#index.recording;
    this.#strip.width = grid.columns;
    this.#strip.height = world.nodes;
    const context = this.#strip.getContext('2d')!;
    const image = context.createImageData(grid.columns, world.nodes);
    const words = new Uint32Array(image.data.buffer);
    const { pixels } = this.#palette;
    for (let id = 0; id < world.nodes; id++) {
      const row = id * grid.columns;
      if (world.alive[id] !== 1) {
        words.fill(pixels[deadIndex]!, row, row + grid.known);
        continue;
      }
      for (let column = 0; column < grid.known; column++) {
        const held = grid.held[row + column]!;
        words[row + column] = held === 0 ? 0 : pixels[heldIndex(held, world.threshold)]!;
      }
    }
    context.putImageData(image, 0, 0);
  }

  #drawCurves(): void {
    const [index, grid, layout] = [this.#index!, this.#grid!, this.#layout!];
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
      .text(`threshold, ${world.threshold}`);
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
    label(String(world.nodes - 1), layout.strip.bottom - 6);
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
    const [grid, layout] = [this.#grid!, this.#layout!];
    if (layout.width < 560 || !this.#index?.done) return;
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
    const { context, width, height } = this.#surface;
    const { strip, left, right } = layout;
    const { world } = index.recording;
    context.clearRect(0, 0, width, height);
    // Rows thinner than a pixel are averaged; others keep their edges.
    context.imageSmoothingEnabled = world.nodes > strip.bottom - strip.top;
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#strip, left, strip.top, right - left, strip.bottom - strip.top);

    const x = left + (index.spanUs === 0 ? 0 : timeUs / index.spanUs) * (right - left);
    this.#svg.select('.playhead').attr('x1', x).attr('x2', x);
    this.#svg
      .select('.veil')
      .attr('x', x)
      .attr('width', Math.max(0, right - x));
    const y = rowY(layout, world.nodes, this.#node);
    const half = Math.max(1.5, (strip.bottom - strip.top) / world.nodes / 2);
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
      .text(this.#node);
    this.#svg.attr(
      'aria-label',
      `Progress of ${world.nodes} nodes over ${(index.spanUs / 1000).toFixed(0)} ms, threshold ${world.threshold}.`,
    );
  }
}
