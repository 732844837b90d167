import { NodeRole } from '@tutti/simulation';
import { nothing, svg, type TemplateResult } from 'lit-html';
import type { InLevel } from '../timeline/nodeStory.ts';
import { type Box, crossPath, roleClass, tickPath, tickWidth } from './tick.ts';
import { cellBox, idsOfCell, type TreeLayout, type TreeRow } from './treeLayout.ts';

/**
 * Maximum number of nodes for which each cell is an element, whose colour changes gradually. With more nodes, the cells
 * of a row are a single path, for speed.
 */
export const maxElements = 256;

/** Drawn level of the tree, with its last shown state. */
export interface DrawnRow {
  readonly row: TreeRow;
  readonly group: SVGGElement;
  /** Elements of the cells; empty if the cells are a single path. */
  readonly cells: readonly SVGRectElement[];
  /** Filled area, if the cells are a single path. */
  readonly fill: SVGPathElement;
  readonly spine: SVGLineElement;
  readonly joint: SVGPathElement;
  readonly out: SVGTextElement;
  readonly name: SVGTextElement;
  readonly tally: SVGTextElement;
  shown: InLevel | undefined;
}

/** Data needed to draw a row: its positions, the joint of the next row, and the roles of all nodes. */
interface RowToDraw {
  readonly layout: TreeLayout;
  readonly row: TreeRow;
  readonly below: number;
  readonly alive: Uint8Array;
}

export function rowTemplate({ layout, row, below, alive }: RowToDraw): TemplateResult {
  const places = [...Array(Math.ceil((row.end - row.start) / row.perCell)).keys()];
  const boxes = places.map((at) => cellBox(layout, row, at));
  const roles = places.map((at) => roleClass(alive.subarray(...idsOfCell(row, at))));
  const isElements = alive.length <= maxElements;
  const boxesOf = (role: string) => boxes.filter((_, at) => roles[at] === role);
  const path = (kind: string, d: string) => svg`<path class=${kind} d=${d}></path>`;
  const cellsOf = (role: '' | 'dead' | 'byzantine') =>
    isElements
      ? nothing
      : path(
          `cell ${role}`,
          boxesOf(role)
            .map((box) => boxPath(box))
            .join(''),
        );
  const cells = places.map((at) => {
    const { x, y, width, height } = boxes[at]!;
    return svg`<rect class="cell ${roles[at]}" data-node=${nodeOf(alive, row, at)} rx=${layout.cell > 8 ? 2 : 1} x=${x} y=${y} width=${width} height=${height}></rect>`;
  });
  const width = tickWidth(Math.min(layout.cell, row.cellHeight) - layout.inset);
  // Ticks are visible once the level is complete.
  const marks = [
    ['crosses', boxesOf('byzantine').map(crossPath)],
    ['ticks', boxes.map(tickPath)],
  ] as const;
  return svg`<g class="row">${path('branches', row.branches)}${isElements ? cells : cellsOf('')}<path class="fill"></path>${cellsOf('dead')}${cellsOf('byzantine')}${marks.map(
    ([kind, paths]) => svg`<path class=${kind} d=${paths.join('')} stroke-width=${width}></path>`,
  )}<line class="spine" x1=${layout.spineX} x2=${layout.spineX} y1=${row.jointY} y2=${below}></line><text class="out" x=${layout.spineX - 10} y=${(row.jointY + below) / 2 + 4}></text><path class="joint" transform="translate(${layout.spineX},${row.jointY})"></path><g transform="translate(${layout.wordsX},${row.bottom - 20})"><text class="name"></text><text class="tally" y="16"></text></g></g>`;
}

/** Returns the parts of a row that {@link rowTemplate} has drawn. */
export function drawnRow(row: TreeRow, group: SVGGElement): DrawnRow {
  const find = <E extends Element>(kind: string): E => group.querySelector<E>(`.${kind}`)!;
  return {
    row,
    group,
    cells: [...group.querySelectorAll('rect')],
    fill: find('fill'),
    spine: find('spine'),
    joint: find('joint'),
    out: find('out'),
    name: find('name'),
    tally: find('tally'),
    shown: undefined,
  };
}

/** Fills the cells of the peers whose contributions are included. */
export function fillRow(drawn: DrawnRow, layout: TreeLayout, now: InLevel): void {
  if (drawn.shown?.sinceUs === now.sinceUs && drawn.shown.weight === now.weight) return;
  drawn.shown = now;
  const { row, cells, fill } = drawn;
  if (cells.length > 0) {
    cells.forEach((cell, bit) => {
      cell.classList.toggle('in', now.has(bit));
    });
    return;
  }
  const parts: string[] = [];
  for (let at = 0; at * row.perCell < row.end - row.start; at++) {
    const [from, to] = idsOfCell(row, at);
    // If only the number of peers is known, all bars of the level have the same height.
    const share = now.named
      ? now.count(from - row.start, to - row.start) / (to - from)
      : now.weight / (row.end - row.start);
    if (share > 0) parts.push(boxPath(cellBox(layout, row, at), share));
  }
  fill.setAttribute('d', parts.join(''));
}

/** Returns the node of a cell. For a bar, it is the first live node, if there is one. */
export function nodeOf(alive: Uint8Array, row: TreeRow, place: number): number {
  const [from, to] = idsOfCell(row, place);
  return from + Math.max(0, alive.subarray(from, to).indexOf(NodeRole.honest));
}

export function place(rect: SVGRectElement, { x, y, width, height }: Box): void {
  rect.setAttribute('x', String(x));
  rect.setAttribute('y', String(y));
  rect.setAttribute('width', String(width));
  rect.setAttribute('height', String(height));
}

/** Returns a box, or its filled lower part, as part of a path. */
function boxPath({ x, y, width, height }: Box, share = 1): string {
  return `M${x.toFixed(2)} ${(y + height).toFixed(2)}h${width}v-${(share * height).toFixed(2)}h${-width}z`;
}
