/** Positions of nodes, and latencies between them. */
export interface NetworkModel {
  readonly regionNames: readonly string[];
  /** Region of each node, as an index into `regionNames`. */
  readonly region: Uint8Array | Uint16Array;
  /**
   * Machine of each node, numbered from 0, if several nodes share a machine. Undefined if the network does not model
   * machines.
   */
  readonly machine?: Int32Array;
  /**
   * Returns the one-way latency between two nodes, integer µs, at least 1. Each call draws the next value of the
   * sender's stream, so that one sender's messages do not change another's.
   */
  oneWayUs(from: number, to: number): number;
}

/** Components of a latency in the networks that scenarios name: a fixed path delay, and jitter. */
export interface Latencies {
  /** Returns the fixed delay of a path, µs. A frequent sender on a path reads it once. */
  wayUs(from: number, to: number): number;
  /** Writes the sender's next jitters into the first entries of a list, each at least 0. */
  drawJitter(from: number, into: Int32Array, count: number): void;
  oneWayUs(from: number, to: number): number;
}

/** Returns latencies without jitter. */
export function steady(wayUs: Latencies['wayUs']): Latencies {
  return { wayUs, drawJitter: (_, into, count) => void into.fill(0, 0, count), oneWayUs: wayUs };
}

/** A network that a scenario names. */
export type NamedNetwork = NetworkModel & Latencies;

/** Returns a zeroed list with one place per node. */
export function placesOf(nodes: number, places: number): Uint8Array | Uint16Array {
  return places > maxRecordedPlaces ? new Uint16Array(nodes) : new Uint8Array(nodes);
}

/** Maximum number of places of a recorded network: a recording stores one byte per node for its place. */
export const maxRecordedPlaces = 256;

/**
 * Returns the network of some or all nodes of another network, with new ids. @param nodes the old id of each new id.
 */
export function renumbered(network: NamedNetwork, nodes: Int32Array): NamedNetwork {
  const { regionNames, region, wayUs, drawJitter, oneWayUs } = network;
  return {
    regionNames,
    region: placesOf(nodes.length, regionNames.length).map((_, node) => region[nodes[node]!]!),
    wayUs: (from, to) => wayUs(nodes[from]!, nodes[to]!),
    drawJitter: (from, into, count) => drawJitter(nodes[from]!, into, count),
    oneWayUs: (from, to) => oneWayUs(nodes[from]!, nodes[to]!),
  };
}
