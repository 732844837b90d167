import { expected, requireArray } from '../errors.ts';

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
 * drawn (v1.03 section 7): 2000 t2.nano instances in ten AWS regions, two nodes each.
 */
export const published = {
  /** Handel, threshold 99 % (figures 3, 4 and 6). */
  handel: [
    {
      nodes: 100,
      failing: 0,
      threshold: 99,
      periodMs: 10,
      timeMs: [158.2, 271.7, 375],
      sentBytes: [8227, 12300, 19400],
      signaturesChecked: [6, 18.87, 29],
    },
    {
      nodes: 500,
      failing: 0,
      threshold: 495,
      periodMs: 10,
      timeMs: [347.9, 449.8, 602.1],
      sentBytes: [11400, 24200, 35300],
      signaturesChecked: [15, 27.52, 46],
    },
    {
      nodes: 1000,
      failing: 0,
      threshold: 990,
      periodMs: 10,
      timeMs: [454.3, 561.7, 731.7],
      sentBytes: [16000, 30600, 46700],
      signaturesChecked: [20, 38.69, 57],
    },
    {
      nodes: 2000,
      failing: 0,
      threshold: 1980,
      periodMs: 10,
      timeMs: [505.6, 648.4, 880.4],
      sentBytes: [16400, 39200, 57900],
      signaturesChecked: [24, 45.2, 68],
    },
    {
      nodes: 4000,
      failing: 0,
      threshold: 3960,
      periodMs: 10,
      timeMs: [639.6, 931.6, 1449],
      sentBytes: [35600, 57600, 82200],
      signaturesChecked: [36, 61.83, 94],
    },
  ],
  /** The complete graph, threshold 99 % (figures 3 and 4). */
  completeGraph: [
    {
      nodes: 100,
      failing: 0,
      threshold: 99,
      periodMs: 10,
      timeMs: [82.7, 157.6, 203.1],
      sentBytes: [16500, 16700, 16800],
    },
    {
      nodes: 500,
      failing: 0,
      threshold: 495,
      periodMs: 10,
      timeMs: [44.7, 787.9, 12050],
      sentBytes: [53100, 185000, 2060000],
    },
    {
      nodes: 1000,
      failing: 0,
      threshold: 990,
      periodMs: 10,
      timeMs: [69.5, 1980, 24100],
      sentBytes: [50000, 763000, 8230000],
    },
    {
      nodes: 2000,
      failing: 0,
      threshold: 1980,
      periodMs: 10,
      timeMs: [114.3, 3005, 10610],
      sentBytes: [43600, 2170000, 7230000],
    },
    {
      nodes: 4000,
      failing: 0,
      threshold: 3960,
      periodMs: 10,
      timeMs: [2108, 6098, 9909],
      sentBytes: [2390000, 7570000, 9940000],
    },
  ],
  /** Handel with failing nodes, threshold 2000 of 4000 (figure 5). */
  failing: [
    {
      nodes: 4000,
      failing: 40,
      threshold: 2000,
      periodMs: 50,
      timeMs: [109.8, 617.3, 808.9],
      sentBytes: [236, 31900, 47200],
      signaturesChecked: [8, 36.97, 84],
    },
    {
      nodes: 4000,
      failing: 1000,
      threshold: 2000,
      periodMs: 50,
      timeMs: [150.3, 652.6, 948.6],
      sentBytes: [236, 34700, 52400],
      signaturesChecked: [10, 52.4, 102],
    },
    {
      nodes: 4000,
      failing: 1960,
      threshold: 2000,
      periodMs: 50,
      timeMs: [171.7, 751.1, 1036],
      sentBytes: [1652, 41400, 59800],
      signaturesChecked: [27, 85.24, 128],
    },
  ],
  /** libp2p gossip, threshold 51 %; not in the paper, but in its tables. */
  gossip: [
    {
      nodes: 100,
      failing: 0,
      threshold: 51,
      periodMs: 10,
      timeMs: [301.5, 486.5, 644.7],
      sentBytes: [231, 13000, 120000],
    },
    {
      nodes: 500,
      failing: 0,
      threshold: 255,
      periodMs: 10,
      timeMs: [546.4, 1384, 2893],
      sentBytes: [470, 112000, 872000],
    },
    {
      nodes: 1000,
      failing: 0,
      threshold: 510,
      periodMs: 10,
      timeMs: [293.9, 2750, 5549],
      sentBytes: [235, 372000, 3130000],
    },
    {
      nodes: 2000,
      failing: 0,
      threshold: 1020,
      periodMs: 10,
      timeMs: [1232, 5484, 9049],
      sentBytes: [705, 1760000, 18000000],
    },
  ],
} as const satisfies Record<string, readonly PublishedRow[]>;

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
