import { expected, requireArray } from '@tutti/core/internal';

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
  /** Handel, threshold 51 %; not in the paper, but in its tables. */
  handelTo51: [
    {
      nodes: 100,
      failing: 0,
      threshold: 51,
      periodMs: 10,
      timeMs: [117.9, 189, 303.6],
      sentBytes: [6110, 10500, 13900],
      signaturesChecked: [8, 16.37, 22],
    },
    {
      nodes: 300,
      failing: 0,
      threshold: 153,
      periodMs: 10,
      timeMs: [171.5, 260.9, 426.9],
      sentBytes: [3525, 15700, 30400],
      signaturesChecked: [10, 19.94, 32],
    },
    {
      nodes: 500,
      failing: 0,
      threshold: 255,
      periodMs: 10,
      timeMs: [204.4, 304.4, 493.1],
      sentBytes: [11000, 18500, 33800],
      signaturesChecked: [13, 21.75, 37],
    },
    {
      nodes: 1000,
      failing: 0,
      threshold: 510,
      periodMs: 10,
      timeMs: [316.7, 463.2, 608.9],
      sentBytes: [9848, 28100, 44300],
      signaturesChecked: [14, 28.69, 46],
    },
    {
      nodes: 2000,
      failing: 0,
      threshold: 1020,
      periodMs: 10,
      timeMs: [462.4, 567.1, 733.1],
      sentBytes: [18500, 37000, 66800],
      signaturesChecked: [16, 37.19, 59],
    },
    {
      nodes: 4000,
      failing: 0,
      threshold: 2040,
      periodMs: 10,
      timeMs: [49.2, 650.2, 803.8],
      sentBytes: [236, 43400, 61400],
      signaturesChecked: [4, 46.06, 66],
    },
  ],
  /** Handel, threshold 75 %; not in the paper, but in its tables. */
  handelTo75: [
    {
      nodes: 100,
      failing: 0,
      threshold: 75,
      periodMs: 10,
      timeMs: [145.7, 205, 338.3],
      sentBytes: [1624, 9580, 15700],
      signaturesChecked: [7, 17.27, 24],
    },
    {
      nodes: 300,
      failing: 0,
      threshold: 225,
      periodMs: 10,
      timeMs: [193.7, 267.3, 418.7],
      sentBytes: [8092, 16000, 24500],
      signaturesChecked: [7, 20.85, 31],
    },
    {
      nodes: 500,
      failing: 0,
      threshold: 375,
      periodMs: 10,
      timeMs: [363, 434.1, 578.3],
      sentBytes: [11900, 24100, 36200],
      signaturesChecked: [16, 25.6, 41],
    },
    {
      nodes: 1000,
      failing: 0,
      threshold: 750,
      periodMs: 10,
      timeMs: [447, 517.8, 674],
      sentBytes: [13500, 29900, 47300],
      signaturesChecked: [16, 34.42, 52],
    },
    {
      nodes: 2000,
      failing: 0,
      threshold: 1500,
      periodMs: 10,
      timeMs: [496.5, 604.4, 802],
      sentBytes: [17300, 39600, 59600],
      signaturesChecked: [22, 41.47, 58],
    },
    {
      nodes: 4000,
      failing: 0,
      threshold: 3000,
      periodMs: 10,
      timeMs: [193.8, 709.3, 902.1],
      sentBytes: [1638, 47500, 65100],
      signaturesChecked: [13, 49.46, 69],
    },
  ],
  /** Handel with failing nodes, threshold 1010 of 2000; not in the paper, but in its tables. */
  failingOf2000: [
    {
      nodes: 2000,
      failing: 20,
      threshold: 1010,
      periodMs: 10,
      timeMs: [69.8, 590, 718.7],
      sentBytes: [236, 35900, 50200],
      signaturesChecked: [4, 41.82, 78],
    },
    {
      nodes: 2000,
      failing: 250,
      threshold: 1010,
      periodMs: 10,
      timeMs: [175.4, 597.3, 761.8],
      sentBytes: [1652, 36700, 55000],
      signaturesChecked: [23, 47.33, 85],
    },
    {
      nodes: 2000,
      failing: 500,
      threshold: 1010,
      periodMs: 10,
      timeMs: [480.4, 592.1, 761.5],
      sentBytes: [19300, 37400, 60800],
      signaturesChecked: [23, 51.6, 105],
    },
    {
      nodes: 2000,
      failing: 750,
      threshold: 1010,
      periodMs: 10,
      timeMs: [111.4, 610.4, 892.4],
      sentBytes: [708, 37800, 76900],
      signaturesChecked: [19, 51.24, 92],
    },
    {
      nodes: 2000,
      failing: 990,
      threshold: 1010,
      periodMs: 10,
      timeMs: [197.7, 3625, 45430],
      sentBytes: [3540, 182000, 2810000],
      signaturesChecked: [28, 97.27, 433],
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
