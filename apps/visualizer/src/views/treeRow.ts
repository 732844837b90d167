import { NodeRole } from '@tutti/simulation';
import type { Selection } from 'd3';
import type { InLevel } from '../timeline/nodeStory.ts';
import { roleClass } from './palette.ts';
import { type Box, crossPath, tickPath, tickWidth } from './tick.ts';
import { cellBox, idsOfCell, type TreeLayout, type TreeRow } from './treeLayout.ts';

/**
 * Up to this many nodes, each cell is an element, whose colour changes gradually; with more, the cells of a row are one
 * path, for the browser's sake.
 */
export const mostElements = 256;

export type Svg = Selection<SVGSVGElement, unknown, null, undefined>;

/** A level of the tree as it was drawn, and what of it was shown last. */
export interface DrawnRow {
  readonly row: TreeRow;
  readonly group: SVGGElement;
  /** Empty where the cells are one path. */
  readonly cells: readonly SVGRectElement[];
  /** What is in, where the cells are one path. */
  readonly fill: SVGPathElement;
  readonly spine: SVGLineElement;
  readonly joint: SVGPathElement;
  readonly out: SVGTextElement;
  readonly name: SVGTextElement;
  readonly tally: SVGTextElement;
  shown: InLevel | undefined;
}

/** What a row is drawn of: its place, where the next one is joined, and what every node of the network is. */
export interface RowToDraw {
  readonly layout: TreeLayout;
  readonly row: TreeRow;
  readonly below: number;
  readonly alive: Uint8Array;
}

export function drawRow(svg: Svg, { layout, row, below, alive }: RowToDraw): DrawnRow {
  const group = svg.append('g').attr('class', 'row');
  group.append('path').attr('class', 'branches').attr('d', row.branches);
  const places = [...Array(Math.ceil((row.end - row.start) / row.perCell)).keys()];
  const boxes = places.map((at) => cellBox(layout, row, at));
  const roles = places.map((at) => roleClass(alive.subarray(...idsOfCell(row, at))));
  const isElements = alive.length <= mostElements;
  const cells = isElements
    ? places.map((at) => {
        const cell = group
          .append('rect')
          .attr('class', `cell ${roles[at]}`)
          .attr('data-node', nodeOf(alive, row, at))
          .attr('rx', layout.cell > 8 ? 2 : 1);
        place(cell.node()!, boxes[at]!);
        return cell.node()!;
      })
    : [];
  const boxesOf = (role: string) => boxes.filter((_, at) => roles[at] === role);
  const ofRole = (role: string) => boxesOf(role).map((box) => boxPath(box));
  if (!isElements) group.append('path').attr('class', 'cell').attr('d', ofRole('').join(''));
  const fill = group.append('path').attr('class', 'fill');
  if (!isElements) {
    for (const role of ['dead', 'byzantine'])
      group.append('path').attr('class', `cell ${role}`).attr('d', ofRole(role).join(''));
  }
  const width = tickWidth(Math.min(layout.cell, row.cellHeight) - layout.inset);
  const crosses = boxesOf('byzantine').map(crossPath).join('');
  group.append('path').attr('class', 'crosses').attr('d', crosses).attr('stroke-width', width);
  // To be seen once the level is complete.
  group.append('path').attr('class', 'ticks').attr('d', boxes.map(tickPath).join('')).attr('stroke-width', width);
  const spine = group
    .append('line')
    .attr('class', 'spine')
    .attr('x1', layout.spineX)
    .attr('x2', layout.spineX)
    .attr('y1', row.jointY)
    .attr('y2', below);
  const out = group
    .append('text')
    .attr('class', 'out')
    .attr('x', layout.spineX - 10)
    .attr('y', (row.jointY + below) / 2 + 4);
  const joint = group
    .append('path')
    .attr('class', 'joint')
    .attr('transform', `translate(${layout.spineX},${row.jointY})`);
  const words = group.append('g').attr('transform', `translate(${layout.wordsX},${row.bottom - 20})`);
  const name = words.append('text').attr('class', 'name');
  const tally = words.append('text').attr('class', 'tally').attr('y', 16);
  return {
    row,
    group: group.node()!,
    cells,
    fill: fill.node()!,
    spine: spine.node()!,
    joint: joint.node()!,
    out: out.node()!,
    name: name.node()!,
    tally: tally.node()!,
    shown: undefined,
  };
}

/** Shows who of a level is in. */
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
    // Where it is known only how many are in, all bars of the level stand at one height.
    const share = now.named
      ? now.count(from - row.start, to - row.start) / (to - from)
      : now.weight / (row.end - row.start);
    if (share > 0) parts.push(boxPath(cellBox(layout, row, at), share));
  }
  fill.setAttribute('d', parts.join(''));
}

/** The node that a cell stands for: of a bar the first that lives, where one does. */
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

/** A box as a piece of a path, or the share of it that is filled from its foot. */
function boxPath({ x, y, width, height }: Box, share = 1): string {
  return `M${x.toFixed(2)} ${(y + height).toFixed(2)}h${width}v-${(share * height).toFixed(2)}h${-width}z`;
}
