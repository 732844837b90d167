import { type Selection, select } from 'd3';
import type { TheftReport } from './keyMessages.ts';
import { conditionOf, drawnLevels, heldNodes, type NodeCondition, timeNodes } from './timeLayout.ts';

/** What the drawing is of. */
export interface TimeMoment {
  /** The number of the period that it is. */
  readonly now: number;
  /** Periods whose signatures are there. */
  readonly signed: number;
  /** The period whose signature is looked at. */
  readonly looked: number;
  /** What a thief got at `now`, if one came. */
  readonly theft: TheftReport | undefined;
}

const levelHeight = 46;
const treeTop = 22;
const rowHeight = 24;
const rowGap = 16;
const narrowBelow = 620;

const conditionWords: Readonly<Record<NodeCondition, string>> = {
  gone: 'gone for good',
  now: 'the key’s own',
  held: 'sub-key held',
  'to-come': 'made of a held sub-key when its time comes',
};

/**
 * The tree of time from left to right, the sub-keys held as the spans that they reach over, and who can sign at which
 * period.
 */
export class TimeView {
  readonly #host: HTMLElement;
  readonly #go: (number: number) => void;
  #moment: TimeMoment = { now: 1, signed: 0, looked: 1, theft: undefined };

  constructor(host: HTMLElement, go: (number: number) => void) {
    this.#host = host;
    this.#go = go;
    new ResizeObserver(() => this.draw(this.#moment)).observe(host);
  }

  draw(moment: TimeMoment): void {
    this.#moment = moment;
    const width = this.#host.clientWidth;
    if (width === 0) return;
    const isNarrow = width < narrowBelow;
    const left = isNarrow ? 0 : 172;
    const step = (width - left) / timeNodes.length;
    const x = (number: number): number => left + (number - 0.5) * step;
    const y = (level: number): number => treeTop + level * levelHeight;
    const { now, signed, looked, theft } = moment;

    const rows: Row[] = [
      {
        label: 'Signatures made',
        cells: timeNodes.map(({ number }) => (number <= signed && number <= now ? 'signed' : '')),
      },
      ...(theft === undefined ? [] : thiefRows(theft)),
    ];
    const labelHeight = isNarrow ? 18 : 0;
    const spansTop = y(drawnLevels - 1) + 30 + labelHeight;
    const rowTop = (at: number): number => spansTop + 30 + labelHeight + at * (rowHeight + rowGap + labelHeight);
    const height = rowTop(rows.length - 1) + rowHeight + 8;

    const svg: Drawing = select<HTMLElement, undefined>(this.#host)
      .selectAll<SVGSVGElement, null>('svg')
      .data([null])
      .join('svg')
      .attr('class', 'time-tree')
      .attr('width', width)
      .attr('height', height)
      .attr('role', 'img')
      .attr('aria-label', describe(moment));
    svg.selectAll('*').remove();

    // Past periods are shaded.
    svg
      .append('rect')
      .attr('class', 'past')
      .attr('x', left)
      .attr('width', (now - 1) * step)
      .attr('height', height);
    svg.append('line').attr('class', 'today').attr('y2', height).attr('x1', x(now)).attr('x2', x(now));

    for (const { number, level, parent } of timeNodes) {
      if (parent === undefined) continue;
      const above = timeNodes[parent - 1]!;
      svg
        .append('path')
        .attr('class', `edge ${conditionOf(number, now)}`)
        .attr('d', `M${x(parent)},${y(above.level)}V${y(above.level) + levelHeight * 0.45}H${x(number)}V${y(level)}`);
    }
    const radius = Math.max(8, Math.min(14, step * 0.42));
    for (const { number, level } of timeNodes) {
      const condition = conditionOf(number, now);
      const node = svg
        .append('g')
        .attr('class', `time-node ${condition}`)
        .attr('transform', `translate(${x(number)},${y(level)})`)
        .on('click', () => this.#go(number));
      node.append('title').text(`Period ${number}: ${conditionWords[condition]}`);
      node.append('circle').attr('r', radius);
      node.append('text').attr('dy', '0.35em').text(number);
      if (condition === 'gone')
        node
          .append('line')
          .attr('class', 'struck')
          .attr('x1', -radius)
          .attr('x2', radius)
          .attr('y1', radius)
          .attr('y2', -radius);
    }

    rowLabel(
      svg,
      'Sub-keys held reach over',
      isNarrow ? 0 : left - 12,
      isNarrow ? spansTop - 8 : spansTop + 6,
      isNarrow,
    );
    for (const held of heldNodes(now)) {
      const [from, to] = [x(held) - step / 2 + 2, x(timeNodes[held - 1]!.last) + step / 2 - 2];
      svg
        .append('path')
        .attr('class', 'span')
        .attr('d', `M${from},${spansTop - 4}V${spansTop + 6}H${to}V${spansTop - 4}`);
    }

    rows.forEach(({ label, cells }, at) => {
      const top = rowTop(at);
      rowLabel(svg, label, isNarrow ? 0 : left - 12, isNarrow ? top - 6 : top + rowHeight / 2, isNarrow);
      cells.forEach((kind, place) => {
        if (kind === '') return;
        const number = place + 1;
        const cell = svg
          .append('g')
          .attr('class', `cell ${kind}${kind === 'signed' && number === looked ? ' looked' : ''}`);
        cell
          .append('rect')
          .attr('x', x(number) - step / 2 + 1.5)
          .attr('y', top)
          .attr('width', step - 3)
          .attr('height', rowHeight)
          .attr('rx', 3);
        cell
          .append('text')
          .attr('x', x(number))
          .attr('y', top + rowHeight / 2)
          .attr('dy', '0.35em')
          .text(cellSigns[kind]);
        cell.append('title').text(`Period ${number}: ${cellWords[kind]}`);
      });
    });
  }
}

type Drawing = Selection<SVGSVGElement, null, HTMLElement, undefined>;

type CellKind = 'signed' | 'forged' | 'failed' | '';

interface Row {
  readonly label: string;
  readonly cells: readonly CellKind[];
}

const cellSigns: Readonly<Record<CellKind, string>> = { signed: '✓', forged: '✗', failed: '–', '': '' };
const cellWords: Readonly<Record<CellKind, string>> = {
  signed: 'signed, and verified against the public key',
  forged: 'the thief signs another block',
  failed: 'every attempt of the thief failed',
  '': '',
};

/** What a thief can sign from then on, and for the past: with keys that never change, and with this one. */
function thiefRows({ number: stolen, signsNow, earlier }: TheftReport): Row[] {
  const failed = new Map(earlier.map(({ number, forged }) => [number, !forged]));
  return [
    { label: 'A thief, with a BLS key', cells: timeNodes.map(() => 'forged') },
    {
      label: 'A thief, with this key',
      cells: timeNodes.map(({ number }) =>
        number < stolen ? (failed.get(number) === true ? 'failed' : 'forged') : signsNow ? 'forged' : '',
      ),
    },
  ];
}

function rowLabel(svg: Drawing, text: string, x: number, y: number, isNarrow: boolean): void {
  svg
    .append('text')
    .attr('class', 'row-label')
    .attr('x', x)
    .attr('y', y)
    .attr('dy', isNarrow ? 0 : '0.35em')
    .attr('text-anchor', isNarrow ? 'start' : 'end')
    .text(text);
}

function describe({ now, theft }: TimeMoment): string {
  const held = heldNodes(now).join(', ');
  const stolen = theft === undefined ? '' : ` Stolen at period ${theft.number}, it signs at no earlier period.`;
  return `The tree of time at period ${now}: sub-keys of ${held} are held, periods before ${now} are gone.${stolen}`;
}
