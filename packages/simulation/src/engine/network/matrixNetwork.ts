import { expected, requireArray, requireInteger, requireObject } from '@tutti/core/settings';
import { Jitter } from './jitter.ts';
import { type NamedNetwork, placesOf } from './networkModel.ts';

/** A network whose one-way latencies are given, place by place. */
export interface LatencyMatrix {
  readonly places: readonly string[];
  /** From row to column, one way, ms. */
  readonly oneWayMs: readonly ArrayLike<number>[];
}

/** Largest number of places that a matrix of latencies may have. */
export const maxPlaces = 4096;

/**
 * A network of a latency matrix. Nodes take the places in turn; a message takes its pair's latency, and jitter as on
 * the other networks.
 *
 * @throws RangeError for a matrix that is not square or has no place or over 4096, or with an entry that is no time;
 *   TypeError for anything but a matrix.
 */
export function matrixNetwork(matrix: LatencyMatrix, nodes: number, seed: number): NamedNetwork {
  requireObject('matrix', matrix, 'an object with places and oneWayMs');
  const { places, oneWayMs } = matrix;
  for (const [label, list] of Object.entries({ places, oneWayMs })) requireArray(label, list);
  requireInteger('nodes', nodes, 1, 2 ** 20);
  const isSquare = oneWayMs.length === places.length && oneWayMs.every((row) => row.length === places.length);
  if (!isSquare || places.length === 0 || places.length > maxPlaces)
    throw new RangeError(
      expected(
        'oneWayMs',
        `a square matrix of 1 to ${maxPlaces} places`,
        `${oneWayMs.length} rows for ${places.length} places`,
      ),
    );
  const baseUs = oneWayMs.map((row) =>
    Int32Array.from(row, (ms) => {
      if (!(ms >= 0 && ms <= 60_000)) throw new RangeError(expected('oneWayMs', 'milliseconds from 0 to 60000', ms));
      return Math.max(1, Math.round(1000 * ms));
    }),
  );
  const region = placesOf(nodes, places.length);
  for (let id = 0; id < nodes; id++) region[id] = id % places.length;
  const latencies = new Jitter(nodes, seed).along((from, to) => baseUs[region[from]!]![region[to]!]!);
  return { regionNames: places, region, ...latencies };
}
