import { type PublishedRow, published } from '@tutti/lab';
import { NodeRole, type ProtocolName, type Recording } from '@tutti/simulation';
import { type ScaleLinear, scaleLinear } from 'd3';
import { nothing, render, svg, type TemplateResult } from 'lit-html';
import { count, ms } from '../formatNumber.ts';
import { unlikePublished } from '../growth/growthView.ts';
import { query } from '../page.ts';
import { heldSinceUs, upperBound } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { type Palette, sharpCanvas } from '../views/canvas.ts';
import { axisBelow, drawingIn, lineFrom, movePlayhead, pointIn, set, textAt } from '../views/drawing.ts';

const margin = { left: 58, leftNarrow: 34, right: 22, top: 24, bottom: 26 };
/** Height of the pile (maximum and minimum) and of each line of published figures, CSS pixels. */
const pileHeight = { max: 210, min: 90 };
const publishedHeight = 26;
/** Maximum size of a square cell, and minimum size below which cells are drawn as bars, CSS pixels. */
const cell = { max: 11, min: 2.5 };
/** Minimum width of a column, CSS pixels. */
const columnPx = 9;

/**
 * Diagram of the times at which each node reached the threshold. The diagram shows one cell per node, stacked along the
 * time axis, above published figures for a similar number of nodes.
 */
export class CompletionView {
  readonly #figure = query('#completion-figure');
  readonly #host = query('#completion');
  readonly #sub = query('#completion-sub');
  readonly #surface = sharpCanvas(this.#host);
  readonly #svg = drawingIn(this.#host, 'completion');
  #palette: Palette;
  #index: RunIndex | undefined;
  #pile: Pile | undefined;
  #rows: readonly PublishedRow[] = [];
  #x: ScaleLinear<number, number> | undefined;
  #cell = 1;
  #foot = 0;
  #node = 0;
  /** Whether the layout has been computed; it is computed when the figure becomes visible. */
  #isLaidOut = false;
  #drawn = '';

  constructor(palette: Palette, on: { select(node: number): void }) {
    this.#palette = palette;
    this.#host.addEventListener('click', (event) => {
      const node = this.nodeUnder(...pointIn(this.#host, event));
      if (node !== undefined) on.select(node);
    });
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#drawn = '';
  }

  set node(node: number) {
    this.#node = node;
  }

  /** Shows a run, or further data of the shown run. */
  show(index: RunIndex): void {
    this.#index = index;
    const { scenario, world } = index.recording;
    this.#rows = publishedNear(publishedOf[scenario.protocol], world.nodes);
    // The width of the pile is not known during a run.
    this.#figure.hidden = !index.done;
    if (!index.done) return;
    this.#sub.textContent = completionWords(index.recording, this.#rows);
    set(this.#svg, { 'aria-label': this.#sub.textContent! });
    this.resize();
  }

  resize(): void {
    if (this.#isLaidOut) {
      // Until the figure is visible again, a layout for the previous width must neither widen the page nor let it
      // shrink.
      this.#host.style.minHeight = `${this.#host.clientHeight}px`;
      this.#surface.resize(0, 0);
      set(this.#svg, { width: 0 });
      render(nothing, this.#svg);
    }
    this.#isLaidOut = false;
  }

  #layOut(): void {
    const index = this.#index;
    const width = this.#host.clientWidth;
    if (!index?.done || width === 0) return;
    this.#isLaidOut = true;
    this.#host.style.removeProperty('min-height');
    const times = completionTimes(index);
    const left = width < 560 ? margin.leftNarrow : margin.left;
    const right = width - margin.right;
    const lastMs = Math.max(
      1,
      times.reduce((max, time) => Math.max(max, time), 0) / 1000,
      ...this.#rows.map(({ timeMs }) => timeMs[2]),
    );
    const x = scaleLinear([0, lastMs * 1.03], [left, right]);
    this.#x = x;
    const spanUs = lastMs * 1030;
    this.#pile = pileOf(times, columnUsFor(spanUs, right - left, columnPx));
    const columnWidth = x(this.#pile.columnUs / 1000) - x(0);
    const { highest } = this.#pile;
    this.#cell = Math.min(cell.max, columnWidth - 1, pileHeight.max / Math.max(1, highest));
    const high = Math.max(pileHeight.min, Math.min(pileHeight.max, highest * this.#cell));
    this.#foot = margin.top + high;
    const height = this.#foot + margin.bottom + this.#rows.length * publishedHeight + (this.#rows.length > 0 ? 8 : 0);
    this.#surface.resize(width, height);
    set(this.#svg, { width, height });
    const rows = this.#rows.map((row, at) =>
      publishedRow(row, x, this.#foot + margin.bottom + 8 + (at + 0.5) * publishedHeight, width < 560),
    );
    render(
      svg`${axisBelow(x, this.#foot, 'ms')}${rows}<line class="playhead" y1="2" y2=${this.#foot + 4}></line><text class="own-name"></text>`,
      this.#svg,
    );
    this.#drawn = '';
  }

  draw(timeUs: number): void {
    if (!this.#isLaidOut) this.#layOut();
    const [pile, x, index] = [this.#pile, this.#x, this.#index];
    if (!pile || !x || !index?.done) return;
    const at = Math.min(x.range()[1]!, x(timeUs / 1000));
    movePlayhead(this.#svg, at);
    const done = upperBound(pile.timeUs, timeUs);
    const drawn = `${done} ${this.#node}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#paint(pile, x, done);
  }

  /** Returns the node whose cell is at a given position within the host. */
  nodeUnder(left: number, top: number): number | undefined {
    const [pile, x] = [this.#pile, this.#x];
    if (!pile || !x || top > this.#foot) return undefined;
    const column = Math.floor((x.invert(left) * 1000) / pile.columnUs);
    const row = Math.floor((this.#foot - top) / this.#cell);
    for (let at = 0; at < pile.id.length; at++)
      if (pile.column[at] === column && pile.row[at] === row) return pile.id[at];
    return undefined;
  }

  #paint(pile: Pile, x: ScaleLinear<number, number>, done: number): void {
    const { context, width, height } = this.#surface;
    const columnWidth = x(pile.columnUs / 1000) - x(0);
    const side = this.#cell;
    const gap = side >= cell.min ? Math.min(1, side / 5) : 0;
    const wide = side >= cell.min ? side : columnWidth - 1;
    context.clearRect(0, 0, width, height);
    const leftOf = (at: number) => x((pile.column[at]! * pile.columnUs) / 1000) + (columnWidth - wide) / 2;
    const topOf = (at: number) => this.#foot - (pile.row[at]! + 1) * side;
    for (let at = 0; at < pile.id.length; at++) {
      context.fillStyle = at < done ? this.#palette.all : this.#palette.line;
      context.fillRect(leftOf(at), topOf(at), wide - gap, side - gap);
    }
    const own = pile.id.indexOf(this.#node);
    const name = this.#svg.querySelector('.own-name')!;
    if (own < 0) {
      name.textContent = '';
      return;
    }
    const [left, top] = [leftOf(own), topOf(own)];
    context.strokeStyle = this.#palette.ink;
    context.lineWidth = 1.75;
    context.strokeRect(left - 1, top - 1, wide - gap + 2, Math.max(2, side - gap) + 2);
    // The name is drawn above the pile.
    const middle = left + (wide - gap) / 2;
    context.beginPath();
    context.moveTo(middle, top - 1);
    context.lineTo(middle, 17);
    context.lineWidth = 1;
    context.stroke();
    set(name, {
      x: Math.min(width - margin.right, Math.max(2, middle)),
      y: 12,
      'text-anchor': middle > width * 0.75 ? 'end' : middle < 60 ? 'start' : 'middle',
    });
    name.textContent = `node ${count(this.#node)}, ${ms(pile.timeUs[own]!)}`;
  }
}

function publishedRow(
  { nodes, timeMs: [min, mean, max] }: PublishedRow,
  x: ScaleLinear<number, number>,
  y: number,
  narrow: boolean,
): TemplateResult {
  const ends = [min, max].map((end) => lineFrom('', [x(end), y - 4], [x(end), y + 4]));
  const words = narrow ? count(nodes) : `published, ${count(nodes)} nodes`;
  const isRoomLeft = x(min) - x.range()[0]! > (narrow ? 46 : 170);
  const at = isRoomLeft ? x(min) - 10 : x(max) + 10;
  return svg`<g class="published">${lineFrom('', [x(min), y], [x(max), y])}${ends}<circle cx=${x(mean)} cy=${y} r="4.5"></circle>${textAt('', [at, y + 4], words, { anchor: isRoomLeft ? 'end' : 'start' })}</g>`;
}

/** Published rows that are drawn for each protocol. */
const publishedOf: { readonly [K in ProtocolName]: readonly PublishedRow[] } = {
  handel: published.handel,
  'complete-graph': published.completeGraph,
  'san-fermin': [],
  gossip: published.gossip,
};

/** Returns the published rows for the next smaller and the next larger size, or for the same size. */
export function publishedNear(rows: readonly PublishedRow[], nodes: number): readonly PublishedRow[] {
  const same = rows.find((row) => row.nodes === nodes);
  if (same) return [same];
  const below = rows.findLast((row) => row.nodes < nodes);
  const above = rows.find((row) => row.nodes > nodes);
  return [below, above].filter((row) => row !== undefined);
}

/** Describes the diagram in the sentence below its title. */
function completionWords(
  { result, scenario }: Pick<Recording, 'result' | 'scenario'>,
  rows: readonly PublishedRow[],
): string {
  const { reached, live, timeToThresholdMs: time } = result;
  if (reached === 0) return 'No node reached the threshold.';
  const all = reached === live ? `All ${count(live)}` : `${count(reached)} of ${count(live)}`;
  const own = `Each square is a node, placed at the time when it reached the threshold. ${all}: ${time.min.toFixed(0)} to ${time.max.toFixed(0)}\u00a0ms, ${time.mean.toFixed(0)}\u00a0ms on average.`;
  if (rows.length === 0) return own;
  const unlike = unlikePublished(scenario);
  // Gossip is in the published tables but not in the paper.
  const source = scenario.protocol === 'gossip' ? ' at a threshold of 51\u00a0%' : ' (section 7)';
  const setting = unlike.length === 0 ? '' : ` This run differs from the published runs: it has ${unlike.join(', ')}.`;
  return `${own} Below are the min, mean and max that the paper’s authors measured${source}.${setting}`;
}

/**
 * Returns the time at which each node reached the threshold, by id, µs; -1 for a node that never reached it or is not
 * honest.
 */
export function completionTimes({ recording: { world }, steps }: Pick<RunIndex, 'recording' | 'steps'>): Int32Array {
  return Int32Array.from({ length: world.nodes }, (_, id) =>
    world.role[id] === NodeRole.honest ? (heldSinceUs(steps, id, world.threshold) ?? -1) : -1,
  );
}

/**
 * Nodes stacked at the times at which they reached the threshold, in columns of equal width. The earliest node of a
 * column is at its bottom.
 */
interface Pile {
  /** Ids of the nodes that reached the threshold, in order of time. */
  readonly id: Int32Array;
  readonly timeUs: Int32Array;
  /** Column index of each node; column 0 begins at time 0. */
  readonly column: Int32Array;
  /** Number of nodes below each node in the node's column. */
  readonly row: Int32Array;
  readonly columnUs: number;
  /** Number of nodes in the tallest column. */
  readonly highest: number;
}

/**
 * Stacks the nodes that reached the threshold.
 *
 * @param times time of each node, indexed by id, µs; negative for a node without a time. @param columnUs width of a
 * column, µs.
 */
export function pileOf(times: Int32Array, columnUs: number): Pile {
  const order = Int32Array.from([...times.keys()].filter((id) => times[id]! >= 0));
  order.sort((a, b) => times[a]! - times[b]! || a - b);
  const column = order.map((id) => Math.floor(times[id]! / columnUs));
  const row = new Int32Array(order.length);
  let highest = 0;
  for (let at = 0; at < order.length; at++) {
    row[at] = at > 0 && column[at] === column[at - 1] ? row[at - 1]! + 1 : 0;
    highest = Math.max(highest, row[at]! + 1);
  }
  return { id: order, timeUs: order.map((id) => times[id]!), column, row, columnUs, highest };
}

/**
 * Returns the width of a column, µs: the smallest of 1, 2 and 5 times a power of ten that is at least 100 µs and
 * occupies at least `minPx` pixels. The diagram has the given width and time span.
 */
export function columnUsFor(spanUs: number, width: number, minPx: number): number {
  const min = (spanUs / Math.max(1, width)) * minPx;
  for (let power = 100; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= min) return step * power;
}
