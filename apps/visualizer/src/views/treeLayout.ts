import { type Branching, type PeerSet, peerSet, Tree, type TreeForm } from '@tutti/core';
import type { Box } from './nodeMarks.ts';

/**
 * Positions of the tree's elements from one node's point of view (v1.03 section 3.2, figures 1 and 2). The node's path
 * to the root is a vertical spine. At each height, the sibling subtree, which is the peer set of the corresponding
 * level, branches off to the right and ends in one cell per peer. In a large tree, a cell represents a whole subtree
 * and is drawn as a bar. The height of a bar is proportional to the share of its peers whose contributions are
 * included.
 */
export interface TreeLayout {
  readonly width: number;
  readonly height: number;
  /** Width of a cell. The width is also the height of a cell, unless the cell is a bar. */
  readonly cell: number;
  /** Space between adjacent cells. */
  readonly inset: number;
  readonly spineX: number;
  /** Left edge of the text at the right of a row. */
  readonly wordsX: number;
  /** Position of the node itself, at the bottom of the spine. */
  readonly self: { readonly x: number; readonly y: number };
  /** Rows from the highest level to the lowest, without empty levels. */
  readonly rows: readonly TreeRow[];
}

export interface TreeRow {
  readonly level: number;
  readonly start: number;
  readonly end: number;
  /** Number of peers in one column. A column represents a subtree if peers have no columns of their own. */
  readonly perColumn: number;
  /** Number of peers per cell: 1, or all peers of the column for a bar. */
  readonly perCell: number;
  readonly cellHeight: number;
  /** Upper left corner of the first cell. */
  readonly x: number;
  readonly y: number;
  /** Vertical position at which the branch leaves the spine. */
  readonly jointY: number;
  readonly bottom: number;
  /** Branches from the spine to the columns, as the data of an SVG path. */
  readonly branches: string;
}

const smallestCell = 5.5;
const largestCell = 28;
const minRowHeight = 34;
/** Maximum number of nodes that are drawn as individual cells. More cells would be illegible and slow to draw. */
const maxCells = 1024;
const barHeight = 15;
/** Height of the headings above the two columns of numbers. */
const headHeight = 30;

export function treeLayout(
  nodes: number,
  node: number,
  width: number,
  form?: TreeForm,
  branching?: Branching,
): TreeLayout {
  const narrow = width < 480;
  // Numbers of more than four digits need more space on both sides.
  const long = nodes >= 10_000;
  const spineX = narrow ? (long ? 58 : 42) : long ? 66 : 58;
  const cellsX = spineX + (narrow ? 16 : 24);
  const wordsX = width - (narrow ? (long ? 114 : 84) : long ? 144 : 132);
  const room = wordsX - cellsX - 12;
  const tree = new Tree(nodes, form, branching);
  const { levels } = tree;
  const peersOf = (level: number) => peerSet(node, level, nodes, form, branching);
  const widest = Math.max(1, ...Array.from({ length: levels }, (_, below) => size(peersOf(below + 1))));

  let columns = 2 ** Math.ceil(Math.log2(widest));
  while (columns > 8 && room / columns < smallestCell) columns /= 2;
  const cell = Math.min(largestCell, Math.floor((room / columns) * 4) / 4);

  const rows: TreeRow[] = [];
  // A small tree is stretched to the height of a large tree.
  const [branchHeight, rowGap] = levels <= 7 ? [6.5, 17] : levels <= 10 ? [4, 12] : [3, 10];
  let top = headHeight;
  for (let level = levels; level >= 1; level--) {
    const peers = peersOf(level);
    if (size(peers) === 0) continue;
    const perColumn = Math.max(1, 2 ** tree.levelOrder(level) / columns);
    const used = Math.ceil(size(peers) / perColumn);
    const order = Math.ceil(Math.log2(used));
    const y = top + (order + 1) * branchHeight;
    const perCell = nodes > maxCells ? perColumn : 1;
    const cellHeight = perCell > 1 ? barHeight : cell;
    const height = (perColumn / perCell) * cellHeight;
    const bottom = Math.max(y + height, top + minRowHeight);
    const cellsY = bottom - height;
    const branches = branchPath(spineX, top, cellsX, cellsY, cell, used, order);
    const cells = { perColumn, perCell, cellHeight };
    rows.push({ level, ...peers, ...cells, x: cellsX, y: cellsY, jointY: top, bottom, branches });
    top = bottom + rowGap;
  }
  const self = { x: spineX, y: top + 8 };
  const inset = cell > 16 ? 3 : cell > 8 ? 1.5 : cell > 5 ? 1 : 0.5;
  return { width, height: self.y + 16, cell, inset, spineX, wordsX, self, rows };
}

/**
 * Returns the box of a row's cell by its index. Cells fill one column after another. If N is a power of two, each
 * column is therefore a subtree, and otherwise approximately a subtree.
 */
export function cellBox({ cell, inset }: TreeLayout, row: TreeRow, place: number): Box {
  const cellsAColumn = row.perColumn / row.perCell;
  return {
    x: row.x + Math.floor(place / cellsAColumn) * cell + inset / 2,
    y: row.y + (place % cellsAColumn) * row.cellHeight + inset / 2,
    width: cell - inset,
    height: row.cellHeight - inset,
  };
}

/**
 * Returns the cell at a position of the drawing, if there is one. Each cell includes half of the space between itself
 * and adjacent cells.
 */
export function cellUnder(layout: TreeLayout, x: number, y: number): { row: TreeRow; place: number } | undefined {
  for (const row of layout.rows) {
    const cellsAColumn = row.perColumn / row.perCell;
    const [across, down] = [Math.floor((x - row.x) / layout.cell), Math.floor((y - row.y) / row.cellHeight)];
    if (across < 0 || down < 0 || down >= cellsAColumn) continue;
    const place = across * cellsAColumn + down;
    if (place * row.perCell < row.end - row.start) return { row, place };
  }
  return undefined;
}

/** Returns the range [from, to) of ids in a cell, by the cell's index in its row. */
export function idsOfCell(row: TreeRow, place: number): [from: number, to: number] {
  const from = row.start + place * row.perCell;
  return [from, Math.min(row.end, from + row.perCell)];
}

function size(peers: PeerSet): number {
  return peers.end - peers.start;
}

function branchPath(
  spineX: number,
  jointY: number,
  x: number,
  y: number,
  cell: number,
  columns: number,
  order: number,
): string {
  const unit = (y - jointY) / (order + 1);
  const parts: string[] = [];
  const middle = branch(0, order);
  parts.push(`M${round(spineX)} ${round(jointY)}H${round(middle)}V${round(jointY + unit)}`);
  return parts.join('');

  /**
   * Draws the subtree with 2^height columns whose first column is `first`. Returns the point at which the subtree is
   * attached.
   */
  function branch(first: number, height: number): number {
    const top = y - height * unit;
    if (height === 0) return x + (first + 0.5) * cell;
    const half = 2 ** (height - 1);
    const left = branch(first, height - 1);
    if (first + half >= columns) {
      parts.push(`M${round(left)} ${round(top)}V${round(top + unit)}`);
      return left;
    }
    const right = branch(first + half, height - 1);
    parts.push(`M${round(left)} ${round(top + unit)}V${round(top)}H${round(right)}V${round(top + unit)}`);
    return (left + right) / 2;
  }
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
