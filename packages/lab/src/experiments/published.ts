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
 *
 * Columns: nodes | failing | threshold | period, ms | time, ms | bytes sent | signatures checked. The last three are
 * each node's least, mean and greatest, the last is - where it was not counted.
 */
export const published = {
  /** Handel, threshold 99 % (figures 3, 4 and 6). */
  handel: rowsOf(`
    100  | 0 | 99   | 10 | 158.2 271.7 375   | 8227 12300 19400  | 6 18.87 29
    500  | 0 | 495  | 10 | 347.9 449.8 602.1 | 11400 24200 35300 | 15 27.52 46
    1000 | 0 | 990  | 10 | 454.3 561.7 731.7 | 16000 30600 46700 | 20 38.69 57
    2000 | 0 | 1980 | 10 | 505.6 648.4 880.4 | 16400 39200 57900 | 24 45.2 68
    4000 | 0 | 3960 | 10 | 639.6 931.6 1449  | 35600 57600 82200 | 36 61.83 94`),
  /** The complete graph, threshold 99 % (figures 3 and 4). */
  completeGraph: rowsOf(`
    100  | 0 | 99   | 10 | 82.7 157.6 203.1 | 16500 16700 16800       | -
    500  | 0 | 495  | 10 | 44.7 787.9 12050 | 53100 185000 2060000    | -
    1000 | 0 | 990  | 10 | 69.5 1980 24100  | 50000 763000 8230000    | -
    2000 | 0 | 1980 | 10 | 114.3 3005 10610 | 43600 2170000 7230000   | -
    4000 | 0 | 3960 | 10 | 2108 6098 9909   | 2390000 7570000 9940000 | -`),
  /** Handel with failing nodes, threshold 2000 of 4000 (figure 5). */
  failing: rowsOf(`
    4000 | 40   | 2000 | 50 | 109.8 617.3 808.9 | 236 31900 47200  | 8 36.97 84
    4000 | 1000 | 2000 | 50 | 150.3 652.6 948.6 | 236 34700 52400  | 10 52.4 102
    4000 | 1960 | 2000 | 50 | 171.7 751.1 1036  | 1652 41400 59800 | 27 85.24 128`),
  /** Handel, threshold 51 %; not in the paper, but in its tables. */
  handelTo51: rowsOf(`
    100  | 0 | 51   | 10 | 117.9 189 303.6   | 6110 10500 13900  | 8 16.37 22
    300  | 0 | 153  | 10 | 171.5 260.9 426.9 | 3525 15700 30400  | 10 19.94 32
    500  | 0 | 255  | 10 | 204.4 304.4 493.1 | 11000 18500 33800 | 13 21.75 37
    1000 | 0 | 510  | 10 | 316.7 463.2 608.9 | 9848 28100 44300  | 14 28.69 46
    2000 | 0 | 1020 | 10 | 462.4 567.1 733.1 | 18500 37000 66800 | 16 37.19 59
    4000 | 0 | 2040 | 10 | 49.2 650.2 803.8  | 236 43400 61400   | 4 46.06 66`),
  /** Handel, threshold 75 %; not in the paper, but in its tables. */
  handelTo75: rowsOf(`
    100  | 0 | 75   | 10 | 145.7 205 338.3   | 1624 9580 15700   | 7 17.27 24
    300  | 0 | 225  | 10 | 193.7 267.3 418.7 | 8092 16000 24500  | 7 20.85 31
    500  | 0 | 375  | 10 | 363 434.1 578.3   | 11900 24100 36200 | 16 25.6 41
    1000 | 0 | 750  | 10 | 447 517.8 674     | 13500 29900 47300 | 16 34.42 52
    2000 | 0 | 1500 | 10 | 496.5 604.4 802   | 17300 39600 59600 | 22 41.47 58
    4000 | 0 | 3000 | 10 | 193.8 709.3 902.1 | 1638 47500 65100  | 13 49.46 69`),
  /** Handel with failing nodes, threshold 1010 of 2000; not in the paper, but in its tables. */
  failingOf2000: rowsOf(`
    2000 | 20  | 1010 | 10 | 69.8 590 718.7    | 236 35900 50200     | 4 41.82 78
    2000 | 250 | 1010 | 10 | 175.4 597.3 761.8 | 1652 36700 55000    | 23 47.33 85
    2000 | 500 | 1010 | 10 | 480.4 592.1 761.5 | 19300 37400 60800   | 23 51.6 105
    2000 | 750 | 1010 | 10 | 111.4 610.4 892.4 | 708 37800 76900     | 19 51.24 92
    2000 | 990 | 1010 | 10 | 197.7 3625 45430  | 3540 182000 2810000 | 28 97.27 433`),
  /** libp2p gossip, threshold 51 %; not in the paper, but in its tables. */
  gossip: rowsOf(`
    100  | 0 | 51   | 10 | 301.5 486.5 644.7 | 231 13000 120000     | -
    500  | 0 | 255  | 10 | 546.4 1384 2893   | 470 112000 872000    | -
    1000 | 0 | 510  | 10 | 293.9 2750 5549   | 235 372000 3130000   | -
    2000 | 0 | 1020 | 10 | 1232 5484 9049    | 705 1760000 18000000 | -`),
} satisfies Record<string, readonly PublishedRow[]>;

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

/** The rows of a table of text, a line each. */
function rowsOf(text: string): readonly PublishedRow[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [nodes, failing, threshold, periodMs, timeMs, sentBytes, checked] = line
        .split('|')
        .map((cell) => cell.trim());
      const row = {
        nodes: Number(nodes),
        failing: Number(failing),
        threshold: Number(threshold),
        periodMs: Number(periodMs),
        timeMs: tripleOf(timeMs!),
        sentBytes: tripleOf(sentBytes!),
      };
      return checked === '-' ? row : { ...row, signaturesChecked: tripleOf(checked!) };
    });
}

function tripleOf(cell: string): Triple {
  const [min, mean, max] = cell.split(' ').map(Number);
  return [min!, mean!, max!];
}
