import { expected, requireArray } from '@tutti/core/input';
import tables from './published.json' with { type: 'json' };

/** A published measurement at one point: min, mean and max over the nodes. */
export interface PublishedPoint {
  readonly x: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** A row of the published tables: a configuration, and quantities per node up to the threshold. */
export interface PublishedRow {
  readonly nodes: number;
  /** Number of failing nodes. */
  readonly failing: number;
  /** Number of contributions. */
  readonly threshold: number;
  readonly periodMs: number;
  readonly timeMs: Triple;
  readonly sentBytes: Triple;
  readonly signaturesChecked?: Triple;
}

/** Minimum, mean and maximum over the nodes. */
export type Triple = readonly [min: number, mean: number, max: number];

/**
 * Result tables of the reference implementation of Handel, from which the paper's figures 3 to 6 are drawn (v1.03
 * section 7). The runs used up to 2,000 t2.nano instances in ten AWS regions, in most cases with two nodes each.
 *
 * `handel` and `completeGraph` wait for 99 % (figures 3, 4 and 6), `failing` waits for 2,000 of 4,000 (figure 5). The
 * other tables are not in the paper: `handelTo51`, `handelTo75`, `failingOf2000` (1,010 of 2,000), and `gossip`, which
 * is libp2p's gossip until 51 %.
 */
export const published = tables as unknown as Readonly<Record<keyof typeof tables, readonly PublishedRow[]>>;

type Quantity = 'timeMs' | 'sentBytes' | 'signaturesChecked';

/** Returns one quantity of the published rows as points to draw. Rows without the quantity are omitted. */
export function publishedPoints(
  rows: readonly PublishedRow[],
  quantity: Quantity,
  x: (row: PublishedRow) => number = (row) => row.nodes,
): PublishedPoint[] {
  requireArray('rows', rows);
  return rows.flatMap((row) => {
    const triple = row[quantity];
    return triple === undefined ? [] : [{ x: x(row), min: triple[0], mean: triple[1], max: triple[2] }];
  });
}

/**
 * Returns the mean of one quantity in the row with this number of nodes. @throws RangeError if no row with this number
 * of nodes has the quantity.
 */
export function publishedMean(rows: readonly PublishedRow[], quantity: Quantity, nodes: number): number {
  const points = publishedPoints(rows, quantity);
  const found = points.find(({ x }) => x === nodes);
  if (found === undefined) {
    const sizes = points.map(({ x }) => x).join(' or ') || 'published rows';
    throw new RangeError(expected('nodes', `${sizes}, with the quantity ${quantity}`, nodes));
  }
  return found.mean;
}
