import { RandomStream } from '@tutti/core';
import { mix32 } from '@tutti/core/packed';

/** Positions of nodes and latencies between nodes. */
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
   * sender's random stream, so one sender's messages do not affect another sender's latencies.
   */
  oneWayUs(from: number, to: number): number;
}

/** Latencies in the built-in networks, and their two components: a fixed path delay, and jitter. */
export interface Latencies {
  /** Returns the fixed delay of a path, µs. A caller that sends often on a path reads the path's delay only once. */
  wayUs(from: number, to: number): number;
  /** Writes the sender's next `count` jitter values to the beginning of a list; each value is at least 0, µs. */
  drawJitter(from: number, into: Int32Array, count: number): void;
  oneWayUs(from: number, to: number): number;
}

/** Returns latencies without jitter, for the given path delays. */
export function withoutJitter(wayUs: Latencies['wayUs']): Latencies {
  return { wayUs, drawJitter: (_, into, count) => void into.fill(0, 0, count), oneWayUs: wayUs };
}

/** A network that a scenario selects by name. */
export type NamedNetwork = NetworkModel & Latencies;

/** Returns a zero-filled list with one entry per node, each wide enough for the index of a place. */
export function placesOf(nodes: number, places: number): Uint8Array | Uint16Array {
  return places > maxRecordedPlaces ? new Uint16Array(nodes) : new Uint8Array(nodes);
}

/** Maximum number of places of a recorded network: a recording stores one byte per node for its place. */
export const maxRecordedPlaces = 256;

/**
 * Returns a network restricted to some or all nodes of another network, with new ids and without machines. @param nodes
 * the old id for each new id.
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

/**
 * Creates a network whose nodes are in places. The latency of a message is the latency between its sender's and
 * receiver's places, plus the internet's jitter.
 *
 * @param region the place of each node.
 * @param betweenUs latencies of at least 1 µs, row by row: from place a to place b at index a * placeNames.length + b.
 */
export function networkOfPlaces(
  placeNames: readonly string[],
  region: NetworkModel['region'],
  betweenUs: Int32Array,
  seed: number,
): NamedNetwork {
  const count = placeNames.length;
  const latencies = new Jitter(region.length, seed).along(
    (from, to) => betweenUs[region[from]! * count + region[to]!]!,
  );
  return { regionNames: placeNames, region, ...latencies };
}

/** Increment between the states of a Weyl sequence. */
const step = 0x9e3779b9;

/**
 * Number of entries of the jitter's quantile table. A table look-up costs a third as much as the power function that
 * computes the variate.
 */
const quantiles = 4096;

/** Quantiles of the jitter in ascending order, µs. */
const tableUs = Int32Array.from({ length: quantiles }, (_, index) => {
  const u = Math.min(0.99, (index + 0.5) / quantiles);
  return Math.max(0, Math.round(1000 * (-0.3 + (0.35 * ((1 - u) ** -1.4 - 1)) / 1.4)));
});

/**
 * Jitter of the internet, with the same distribution as in the paper's simulator. In ms, the jitter is a generalised
 * Pareto variate with shape 1.4, location -0.3 and scale 0.35 (median 0.11, 90th percentile 5.7), cut at 0 and at the
 * 99th percentile.
 */
export class Jitter {
  readonly #state: Int32Array;

  constructor(nodes: number, seed: number) {
    const random = new RandomStream(seed, 'latency');
    this.#state = new Int32Array(nodes);
    for (let node = 0; node < nodes; node++) this.#state[node] = random.nextUint32();
  }

  /** Returns the next jitter of a sender, µs, from a Weyl sequence whose states are mixed. */
  #nextUs(sender: number): number {
    const state = (this.#state[sender]! + step) | 0;
    this.#state[sender] = state;
    return tableUs[mix32(state) >>> 20]!;
  }

  /** Draws several values at once, which takes less than half the time per value. */
  #draw(sender: number, into: Int32Array, count: number): void {
    let state = this.#state[sender]!;
    for (let index = 0; index < count; index++) {
      state = (state + step) | 0;
      into[index] = tableUs[mix32(state) >>> 20]!;
    }
    this.#state[sender] = state;
  }

  /** Returns latencies that consist of the given path delays and this jitter. */
  along(wayUs: Latencies['wayUs']): Latencies {
    return {
      wayUs,
      drawJitter: (from, into, count) => this.#draw(from, into, count),
      oneWayUs: (from, to) => wayUs(from, to) + this.#nextUs(from),
    };
  }
}

/** Draws a place for each node from the seed, in proportion to population. @returns indices into `places`. */
export function drawByPopulation(
  places: readonly { readonly population: number }[],
  nodes: number,
  seed: number,
): Uint8Array {
  const random = new RandomStream(seed, 'places');
  const total = places.reduce((sum, { population }) => sum + population, 0);
  return Uint8Array.from({ length: nodes }, () => {
    let left = random.nextUnit() * total;
    return places.findIndex(({ population }) => {
      left -= population;
      return left < 0;
    });
  });
}
