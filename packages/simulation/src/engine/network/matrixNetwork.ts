import { expected, requireArray, requireInteger, requireObject, wrongType } from '@tutti/core/input';
import { type NamedNetwork, networkOfPlaces, placesOf } from './networkModel.ts';

/** A network with given one-way latencies between places. */
export interface LatencyMatrix {
  readonly places: readonly string[];
  /** One-way latency from the place of the row to the place of the column, ms. Range 0 to 60,000. */
  readonly oneWayMs: readonly ArrayLike<number>[];
}

/** Maximum number of places in a latency matrix. */
export const maxPlaces = 4096;

/**
 * Creates a network from a latency matrix. Nodes are assigned to the places in turn. A message is delayed by the
 * latency between the sender's and the receiver's places, plus jitter as in the other networks.
 *
 * @throws RangeError for a matrix that is not square, has no places or more than {@link maxPlaces}, or has an invalid
 * entry, or for a number of nodes outside 1 to 2^20; TypeError for anything but a matrix.
 */
export function matrixNetwork(matrix: LatencyMatrix, nodes: number, seed: number): NamedNetwork {
  requireObject('matrix', matrix, 'an object with places and oneWayMs');
  const { places, oneWayMs } = matrix;
  for (const [label, list] of Object.entries({ places, oneWayMs })) requireArray(label, list);
  requireInteger('nodes', nodes, 1, 2 ** 20);
  requireInteger('number of places', places.length, 1, maxPlaces);
  if (oneWayMs.length !== places.length)
    throw new RangeError(`oneWayMs: expected ${places.length} rows, got ${oneWayMs.length}`);
  for (const [from, row] of oneWayMs.entries()) {
    if (typeof row?.length !== 'number') throw wrongType(`oneWayMs[${from}]`, 'an array', row);
    if (row.length !== places.length)
      throw new RangeError(`oneWayMs[${from}]: expected ${places.length} latencies, got ${row.length}`);
  }
  const betweenUs = new Int32Array(places.length ** 2);
  for (const [from, row] of oneWayMs.entries()) {
    for (let to = 0; to < places.length; to++) {
      const ms = row[to]!;
      if (!(ms >= 0 && ms <= 60_000))
        throw new RangeError(expected(`oneWayMs[${from}][${to}]`, 'milliseconds from 0 to 60000', ms));
      betweenUs[from * places.length + to] = Math.max(1, Math.round(1000 * ms));
    }
  }
  const region = placesOf(nodes, places.length);
  for (let id = 0; id < nodes; id++) region[id] = id % places.length;
  return networkOfPlaces(places, region, betweenUs, seed);
}
