import { expected, requireArray } from '@tutti/core/settings';
import tables from './published.json' with { type: 'json' };

/** What others measured at one point: least, mean and greatest over the nodes. */
export interface PublishedPoint {
  readonly x: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** One row of the published tables. Times are wall times to the threshold; bytes are sent ones; both per node. */
export interface PublishedRow {
  readonly nodes: number;
  readonly failing: number;
  readonly threshold: number;
  readonly periodMs: number;
  readonly timeMs: Triple;
  readonly sentBytes: Triple;
  readonly signaturesChecked?: Triple;
}

/** Least, mean, greatest. */
export type Triple = readonly [min: number, mean: number, max: number];

/**
 * The result tables that the reference implementation of Handel keeps for its paper, from which figures 3 to 6 are
 * drawn (v1.03 section 7): up to 2000 t2.nano instances in ten AWS regions, in most cases two nodes each.
 *
 * `handel` and `completeGraph` wait for 99 % (figures 3, 4 and 6), `failing` for 2000 of 4000 (figure 5). These are not in
 * the paper, but in its tables: `handelTo51`, `handelTo75`, `failingOf2000` (1010 of 2000) and `gossip`, libp2p's, to 51 %.
 */
export const published = tables as unknown as Readonly<Record<keyof typeof tables, readonly PublishedRow[]>>;

/** One quantity of published rows as points to draw; rows without it are left out. */
export function publishedPoints(
  rows: readonly PublishedRow[],
  quantity: 'timeMs' | 'sentBytes' | 'signaturesChecked',
  x: (row: PublishedRow) => number = (row) => row.nodes,
): PublishedPoint[] {
  requireArray('rows', rows);
  return rows.flatMap((row) => {
    const triple = row[quantity];
    return triple === undefined ? [] : [{ x: x(row), min: triple[0], mean: triple[1], max: triple[2] }];
  });
}

/** The mean of one quantity in the row of this many nodes. @throws RangeError when there is no such row. */
export function publishedMean(
  rows: readonly PublishedRow[],
  quantity: 'timeMs' | 'sentBytes' | 'signaturesChecked',
  nodes: number,
): number {
  const found = publishedPoints(rows, quantity).find((point) => point.x === nodes);
  if (found === undefined) throw new RangeError(expected('nodes', rows.map((row) => row.nodes).join(' or '), nodes));
  return found.mean;
}
