import { counted } from '@tutti/visualizer/formatNumber';
import { type Selection, select } from 'd3';
import type { TheftReport } from './keyMessages.ts';
import { conditionOf, drawnLevels, heldNodes, type NodeCondition, timeNodes } from './timeLayout.ts';

/** State of the key that the drawing shows. */
interface TimeMoment {
  /** Number of the present period. */
  readonly now: number;
  /** Number of periods for which a signature exists. */
  readonly signed: number;
  /** Result of a theft at period `now`; undefined without a theft. */
  readonly theft: TheftReport | undefined;
}

const levelHeight = 46;
const treeTop = 22;
const rowHeight = 24;
const rowGap = 16;
const narrowBelow = 620;

const conditionWords: Readonly<Record<NodeCondition, string>> = {
  gone: 'sub-key erased',
  now: 'present period',
  held: 'sub-key in the key',
  'to-come': 'sub-key derived later from a sub-key in the key',
};

/**
 * Drawing of the tree of time from left to right, with the ranges of the stored sub-keys and the parties that can sign
 * at each period.
 */
export class TimeView {
  readonly #host: HTMLElement;
  readonly #go: (number: number) => void;
  #moment: TimeMoment = { now: 1, signed: 0, theft: undefined };

  constructor(host: HTMLElement, go: (number: number) => void) {
    this.#host = host;
    this.#go = go;
    new ResizeObserver(() => this.draw(this.#moment)).observe(host);
  }

  draw(moment: TimeMoment): void {
    this.#moment = moment;
    const width = this.#host.clientWidth;
    if (width === 0) return;
    const { now, signed, theft } = moment;
    const made = timeNodes.map(({ number }) => (number <= signed && number <= now ? 'signed' : ''));
    const rows: Row[] = [{ label: 'Signatures', cells: made }, ...(theft === undefined ? [] : thiefRows(theft))];
    const places = new Places(width);
    const height = places.rowTop(rows.length - 1) + rowHeight + 8;
    const svg: Drawn = select<HTMLElement, undefined>(this.#host)
      .selectAll<SVGElement, null>('svg')
      .data([null])
      .join('svg');
    setAttributes(svg, { class: 'time-tree', width, height, role: 'img', 'aria-label': describe(moment) });
    svg.selectAll('*').remove();
    drawNow(svg, places, now, height, rows.length);
    drawEdges(svg, places, now);
    for (const { number, level } of timeNodes)
      drawNode(svg, places, number, level, conditionOf(number, now)).on('click', () => this.#go(number));
    drawSpans(svg, places, now);
    for (const [at, row] of rows.entries()) drawRow(svg, places, at, row, now);
  }
}

/** Positions in a drawing of this width, px. */
class Places {
  readonly left: number;
  /** Distance between two periods, px. */
  readonly step: number;
  readonly spansTop: number;
  readonly #isNarrow: boolean;
  readonly #labelHeight: number;

  constructor(width: number) {
    this.#isNarrow = width < narrowBelow;
    this.left = this.#isNarrow ? 0 : 172;
    this.step = (width - this.left) / timeNodes.length;
    this.#labelHeight = this.#isNarrow ? 18 : 0;
    this.spansTop = this.y(drawnLevels - 1) + 30 + this.#labelHeight;
  }

  /** Returns the x coordinate of the middle of a period, px. */
  x(number: number): number {
    return this.left + (number - 0.5) * this.step;
  }

  y(level: number): number {
    return treeTop + level * levelHeight;
  }

  rowTop(at: number): number {
    return this.spansTop + 30 + this.#labelHeight + at * (rowHeight + rowGap + this.#labelHeight);
  }

  /** Returns the vertical ranges of labels that vertical lines must not cross; empty if labels are on the left. */
  labelBands(rows: number): [top: number, bottom: number][] {
    if (!this.#isNarrow) return [];
    const lines = [this.spansTop - 8, ...Array.from({ length: rows }, (_, at) => this.rowTop(at) - 6)];
    return lines.map((line) => [line - 14, line + 5]);
  }

  /** Draws a label: above its row in a narrow drawing, otherwise to the left of the row. */
  label(svg: Drawn, text: string, above: number, middle: number): void {
    add(svg, 'text', {
      class: 'row-label',
      x: this.#isNarrow ? 0 : this.left - 12,
      y: this.#isNarrow ? above : middle,
      dy: this.#isNarrow ? 0 : '0.35em',
      'text-anchor': this.#isNarrow ? 'start' : 'end',
    }).text(text);
  }
}

/** Shades past periods and draws a line at the present period, interrupted at labels. */
function drawNow(svg: Drawn, places: Places, now: number, height: number, rows: number): void {
  add(svg, 'rect', { class: 'past', x: places.left, width: (now - 1) * places.step, height });
  const x = places.x(now);
  const ends = [0, ...places.labelBands(rows).flat(), height];
  const parts = ends.flatMap((from, at) => (at % 2 === 0 ? [`M${x},${from}V${ends[at + 1]}`] : []));
  add(svg, 'path', { class: 'today', d: parts.join('') });
}

function drawEdges(svg: Drawn, places: Places, now: number): void {
  for (const { number, level, parent } of timeNodes) {
    if (parent === undefined) continue;
    const top = places.y(timeNodes[parent - 1]!.level);
    const d = `M${places.x(parent)},${top}V${top + levelHeight * 0.45}H${places.x(number)}V${places.y(level)}`;
    add(svg, 'path', { class: `edge ${conditionOf(number, now)}`, d });
  }
}

function drawNode(svg: Drawn, places: Places, number: number, level: number, condition: NodeCondition): Drawn {
  const radius = Math.max(8, Math.min(14, places.step * 0.42));
  const transform = `translate(${places.x(number)},${places.y(level)})`;
  const node = add(svg, 'g', { class: `time-node ${condition}`, transform });
  add(node, 'title', {}).text(`Period ${number}: ${conditionWords[condition]}`);
  add(node, 'circle', { r: radius });
  add(node, 'text', { dy: '0.35em' }).text(number);
  if (condition === 'gone') add(node, 'line', { class: 'crossed', x1: -radius, x2: radius, y1: radius, y2: -radius });
  return node;
}

function drawSpans(svg: Drawn, places: Places, now: number): void {
  const { spansTop, step } = places;
  places.label(svg, 'Periods of each sub-key', spansTop - 8, spansTop + 6);
  for (const held of heldNodes(now)) {
    const from = places.x(held) - step / 2 + 2;
    const to = places.x(timeNodes[held - 1]!.last) + step / 2 - 2;
    add(svg, 'path', { class: 'span', d: `M${from},${spansTop - 4}V${spansTop + 6}H${to}V${spansTop - 4}` });
  }
}

function drawRow(svg: Drawn, places: Places, at: number, { label, cells }: Row, now: number): void {
  const top = places.rowTop(at);
  places.label(svg, label, top - 6, top + rowHeight / 2);
  cells.forEach((kind, place) => {
    if (kind === '') return;
    const number = place + 1;
    const isPresent = kind === 'signed' && number === now;
    const cell = add(svg, 'g', { class: `cell ${kind}${isPresent ? ' present' : ''}` });
    const left = places.x(number) - places.step / 2 + 1.5;
    add(cell, 'rect', { x: left, y: top, width: places.step - 3, height: rowHeight, rx: 3 });
    add(cell, 'text', { x: places.x(number), y: top + rowHeight / 2, dy: '0.35em' }).text(cellSigns[kind]);
    add(cell, 'title', {}).text(`Period ${number}: ${cellWords[kind]}`);
  });
}

type Drawn = Selection<SVGElement, null, HTMLElement, undefined>;
type Attributes = Readonly<Record<string, string | number>>;

function setAttributes(element: Drawn, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.attr(name, value);
}

/** Adds an element with these attributes to a parent, and returns the element. */
function add(parent: Drawn, name: string, attributes: Attributes): Drawn {
  const added: Drawn = parent.append<SVGElement>(name);
  setAttributes(added, attributes);
  return added;
}

type CellKind = 'signed' | 'forged' | 'failed' | '';

interface Row {
  readonly label: string;
  readonly cells: readonly CellKind[];
}

const cellSigns: Readonly<Record<CellKind, string>> = { signed: '✓', forged: '✗', failed: '–', '': '' };
const cellWords: Readonly<Record<CellKind, string>> = {
  signed: 'signed and verified',
  forged: 'the thief can sign another block',
  failed: 'all attempts of the thief failed',
  '': '',
};

/**
 * Returns rows that show the periods for which a thief can sign: one row for a key that never changes, and one row for
 * this key.
 */
function thiefRows({ number: stolen, signsNow, earlier }: TheftReport): Row[] {
  const failed = new Set(earlier.filter(({ forged }) => !forged).map(({ number }) => number));
  return [
    { label: 'Thief with a BLS key', cells: timeNodes.map(() => 'forged') },
    {
      label: 'Thief with this key',
      cells: timeNodes.map(({ number }) =>
        number < stolen ? (failed.has(number) ? 'failed' : 'forged') : signsNow ? 'forged' : '',
      ),
    },
  ];
}

function describe({ now, theft }: TimeMoment): string {
  const held = heldNodes(now).join(', ');
  const key = `Tree of periods in period ${now}. The key contains the sub-keys of nodes ${held}. The sub-keys of earlier periods are erased.`;
  if (theft === undefined) return key;
  const forged = theft.earlier.filter((one) => one.forged).length;
  return `${key} The key was stolen in period ${theft.number}. The thief can sign for ${forged === 0 ? 'no earlier period' : counted(forged, 'earlier period')}.`;
}
