import { area, line, scaleLinear } from 'd3';
import { nothing, render, svg } from 'lit-html';
import { count } from '../formatNumber.ts';
import { columnAt, columnTimeUs } from '../timeline/grids.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { byzantineIndex, deadIndex, heldIndex, type Palette, pixel, sharpCanvas } from './canvas.ts';
import { axisBelow, drawingIn, lineFrom, movePlayhead, pointIn, set, textAt } from './drawing.ts';
import { crossPath, firstHonest, roleClass, tickPath } from './nodeMarks.ts';

/** Nodes [from, to) of a row in the strip, with their state at a time. */
interface RowOfNodes {
  readonly from: number;
  readonly to: number;
  /** Time of the state, µs: a given time or, if it is earlier, the end of the known part of the run. */
  readonly timeUs: number;
  /** Mean number of contributions that the row's live nodes hold. */
  readonly held: number;
}

/** Returns a row of the strip with its state at a time, µs. */
export function rowOfNodes({ recording, grid, spanUs, endUs }: RunIndex, row: number, atUs: number): RowOfNodes {
  const from = row * grid.perRow;
  const timeUs = Math.min(endUs, atUs);
  const column = columnAt(timeUs, grid.columns, spanUs);
  return {
    from,
    to: Math.min(recording.world.nodes, from + grid.perRow),
    timeUs,
    held: column < 0 ? 0 : grid.held[row * grid.columns + column]!,
  };
}

/**
 * Draws the whole network in one picture: the number of contributions held by each node at each time, and the min, mean
 * and max over all nodes.
 */
export class ProgressView {
  readonly #host: HTMLElement;
  readonly #surface;
  readonly #svg: SVGSVGElement;
  readonly #strip = new ProgressStrip();
  #palette: Palette;
  #index: RunIndex | undefined;
  #layout: ProgressLayout | undefined;
  /**
   * Whether the curves are drawn for the current layout. `#isPainted`: whether the strip is painted for the current
   * layout. The first call of `draw` draws both, because the page calls `draw` only for visible figures, and drawing a
   * large run takes long.
   */
  #isLaidOut = false;
  #isPainted = false;
  /** Selected node. */
  node = 0;
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
      const [x, y] = pointIn(host, event);
      const node = this.nodeUnder(x, y);
      if (node !== undefined) on.select(node);
      else if (this.#layout && y >= this.#layout.strip.bottom) {
        host.setPointerCapture(event.pointerId);
        on.seek(this.timeUnder(x));
      }
    });
    host.addEventListener('pointermove', (event) => {
      if (host.hasPointerCapture(event.pointerId)) on.seek(this.timeUnder(pointIn(host, event)[0]));
    });
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#isPainted = false;
  }

  /** Returns the node for the row at a position of the host. */
  nodeUnder(x: number, y: number): number | undefined {
    const row = this.rowUnder(x, y);
    if (!row || !this.#index) return undefined;
    return firstHonest(this.#index.recording.world.role, row.from, row.to);
  }

  /** Returns the row at a position of the host, with its state at the time of this position. */
  rowUnder(x: number, y: number): RowOfNodes | undefined {
    if (!this.#layout || !this.#index) return undefined;
    const row = rowAt(this.#layout, this.#index.grid.rows, x, y);
    return row === undefined ? undefined : rowOfNodes(this.#index, row, this.timeUnder(x));
  }

  /** Returns the time at a horizontal position of the host, µs. */
  timeUnder(x: number): number {
    return this.#layout && this.#index ? timeAt(this.#layout, this.#index.spanUs, x) : 0;
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
    // A drawing made for a previous width must not widen the page before the picture is visible again.
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
      svg`${axisBelow(x, curves.bottom, 'ms')}<path class="spread" d=${spread(columns)}></path><path class="mean" d=${mean(columns)}></path>${lineFrom('threshold', [left, threshold], [right, threshold])}${textAt('threshold-name', [left + 6, threshold - 5], `threshold, ${count(world.threshold)}`)}${this.#curveNames(at, y)}<g class="axis">${label('0', strip.top + 6)}${label(count(world.nodes - 1), strip.bottom - 6)}${label('0', curves.bottom)}</g><path class="row-mark"></path><text class="row-name" text-anchor="end" dy="0.32em"></text><rect class="row-band"></rect><rect class="veil" x=${left - right} width=${right - left} y=${strip.top} height=${curves.bottom - strip.top}></rect><line class="playhead" y1=${strip.top - 4} y2=${curves.bottom + 4}></line>`,
      this.#svg,
    );
  }

  /**
   * Returns the names of the fastest and the slowest curve, placed where the two curves are farthest apart. The names
   * replace a legend.
   */
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
    movePlayhead(this.#svg, left + (index.spanUs === 0 ? 0 : timeUs / index.spanUs) * (right - left), layout);
    if (this.#marked === this.node) return;
    this.#marked = this.node;
    const y = rowY(layout, grid.rows, Math.floor(this.node / grid.perRow));
    const half = Math.max(1.5, (strip.bottom - strip.top) / grid.rows / 2);
    const nameY = Math.min(Math.max(y, strip.top + 6), strip.bottom - 6);
    const find = (kind: string) => this.#svg.querySelector(kind);
    set(find('.row-band'), { x: left, width: right - left, y: y - half, height: half * 2 });
    set(find('.row-mark'), { d: `M${left - 2} ${y}l-5 -4v8z` });
    set(find('.row-name'), { x: left - 10, y: nameY });
    find('.row-name')!.textContent = count(this.node);
    set(this.#svg, {
      'aria-label': `Progress of ${count(world.nodes)} nodes over ${count(Math.round(index.spanUs / 1000))} ms, with a threshold of ${count(world.threshold)}.`,
    });
  }
}

/**
 * Positions in the progress picture, on a common time axis: a strip with one row per node or group of nodes, and the
 * curves below the strip.
 */
interface ProgressLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly strip: { readonly top: number; readonly bottom: number };
  readonly curves: { readonly top: number; readonly bottom: number };
}

export function progressLayout(nodes: number, width: number): ProgressLayout {
  const narrow = width < 560;
  const stripHeight = Math.min(280, Math.max(120, Math.min(nodes, 64) * 3.5));
  const strip = { top: 4, bottom: 4 + Math.round(stripHeight) };
  const curves = { top: strip.bottom + 22, bottom: strip.bottom + 22 + (narrow ? 96 : 120) };
  return {
    width,
    height: curves.bottom + 26,
    left: narrow ? (nodes < 10_000 ? 34 : 52) : 58,
    right: width - (narrow ? 20 : 22),
    strip,
    curves,
  };
}

/** Returns the row at a position, or undefined outside the strip. */
export function rowAt(layout: ProgressLayout, rows: number, x: number, y: number): number | undefined {
  const { strip, left, right } = layout;
  if (x < left || x > right || y < strip.top || y >= strip.bottom) return undefined;
  return Math.min(rows - 1, Math.floor(((y - strip.top) / (strip.bottom - strip.top)) * rows));
}

/** Returns the vertical position of the middle of a row. */
export function rowY(layout: ProgressLayout, rows: number, row: number): number {
  const { strip } = layout;
  return strip.top + ((row + 0.5) / rows) * (strip.bottom - strip.top);
}

/** Returns the time at the horizontal position `x`, from 0 to `spanUs`. */
export function timeAt(layout: ProgressLayout, spanUs: number, x: number): number {
  const share = (x - layout.left) / (layout.right - layout.left);
  return Math.min(1, Math.max(0, share)) * spanUs;
}

/**
 * Distance between the ticks on finished areas, CSS pixels. Alternate rows of ticks are shifted by half the horizontal
 * distance.
 */
const tickStep = { across: 26, down: 14 };
/** Side of a tick's box, CSS pixels. */
const tickSide = 9;
/** Distance between crosses in a Byzantine node's row, CSS pixels. */
const crossStep = 14;
/** Minimum height of a row with crosses, CSS pixels. */
const minCrossedRow = 2.5;
const opaque = pixel('#000');

/**
 * Strip that shows the mean number of contributions held by the live nodes of each row: one pixel per column and row of
 * the grid, with ticks over finished nodes.
 */
class ProgressStrip {
  /** Canvas with one pixel per cell of the grid. */
  readonly #strip = document.createElement('canvas');
  /** Ticks of finished nodes and crosses of Byzantine nodes, at the strip's size on the screen. */
  readonly #ticks = document.createElement('canvas');

  /** Paints the strip. @param ratio screen pixels per CSS pixel. */
  paint({ recording, grid }: RunIndex, layout: ProgressLayout, palette: Palette, ratio: number): void {
    const { threshold } = recording.world;
    this.#strip.width = grid.columns;
    this.#strip.height = grid.rows;
    const context = this.#strip.getContext('2d')!;
    const image = context.createImageData(grid.columns, grid.rows);
    const words = new Uint32Array(image.data.buffer);
    const { pixels } = palette;
    const done = context.createImageData(grid.columns, grid.rows);
    const doneWords = new Uint32Array(done.data.buffer);
    const byzantineRows: number[] = [];
    for (let row = 0; row < grid.rows; row++) {
      const start = row * grid.columns;
      if (grid.live[row] === 0) {
        const roles = recording.world.role.subarray(row * grid.perRow, (row + 1) * grid.perRow);
        const isByzantine = roleClass(roles) === 'byzantine';
        if (isByzantine) byzantineRows.push(row);
        words.fill(pixels[isByzantine ? byzantineIndex : deadIndex]!, start, start + grid.known);
        continue;
      }
      for (let column = 0; column < grid.known; column++) {
        const held = grid.held[start + column]!;
        words[start + column] = held === 0 ? 0 : pixels[heldIndex(held, threshold)]!;
        if (held >= threshold) doneWords[start + column] = opaque;
      }
    }
    // The ticks are clipped to the finished areas, which the strip's canvas contains at this point.
    context.putImageData(done, 0, 0);
    this.#paintTicks(layout, palette, ratio);
    this.#paintCrosses(byzantineRows, grid, layout, palette);
    context.putImageData(image, 0, 0);
  }

  draw(context: CanvasRenderingContext2D, { strip, left, right }: ProgressLayout): void {
    const [width, height] = [right - left, strip.bottom - strip.top];
    // Rows thinner than a pixel are averaged; thicker rows keep sharp edges.
    context.imageSmoothingEnabled = this.#strip.height > height;
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#strip, left, strip.top, width, height);
    context.drawImage(this.#ticks, left, strip.top, width, height);
  }

  /** Draws crosses along the rows of Byzantine nodes, to identify these nodes without relying on colour. */
  #paintCrosses(
    byzantineRows: readonly number[],
    { rows, columns, known }: RunIndex['grid'],
    { strip, left, right }: ProgressLayout,
    palette: Palette,
  ): void {
    const height = (strip.bottom - strip.top) / rows;
    if (height < minCrossedRow) return;
    const context = this.#ticks.getContext('2d')!;
    const crosses: string[] = [];
    for (const row of byzantineRows)
      for (let x = crossStep / 2; x < ((right - left) * known) / columns; x += crossStep)
        crosses.push(crossPath({ x, y: row * height, width: height * 1.4, height: height * 1.4 }));
    context.globalCompositeOperation = 'source-over';
    context.strokeStyle = palette.bad;
    context.lineWidth = 1;
    context.stroke(new Path2D(crosses.join('')));
  }

  /** Draws scattered ticks over finished areas, because rows may be too thin for one tick each. */
  #paintTicks({ strip, left, right }: ProgressLayout, palette: Palette, ratio: number): void {
    const [width, height] = [right - left, strip.bottom - strip.top];
    this.#ticks.width = Math.round(width * ratio);
    this.#ticks.height = Math.round(height * ratio);
    const context = this.#ticks.getContext('2d')!;
    context.scale(ratio, ratio);
    const ticks: string[] = [];
    for (let row = 0; row * tickStep.down < height; row++) {
      const aside = row % 2 === 0 ? 0 : tickStep.across / 2;
      for (let x = aside; x < width; x += tickStep.across)
        ticks.push(tickPath({ x, y: row * tickStep.down + 3, width: tickSide, height: tickSide }));
    }
    context.strokeStyle = palette.paper;
    context.lineWidth = 1.25;
    context.lineCap = 'round';
    context.stroke(new Path2D(ticks.join('')));
    context.globalCompositeOperation = 'destination-in';
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#strip, 0, 0, width, height);
  }
}
