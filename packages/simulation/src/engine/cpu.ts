import { RandomStream, shuffle } from '@tutti/core';
import { latestUs } from './eventQueue.ts';

/**
 * Cores that nodes share, as on the machines of the published runs (v1.03 section 7.1). A core does its work in the
 * order of arrival, without interruption, so a message waits for the other node's verification.
 */
export class Cores {
  /** Core of each node. */
  readonly of: Int32Array;
  /** Time at which each core has finished its work, µs. */
  readonly #freeUs: Float64Array;

  /**
   * Chooses, by seed, the nodes of one place that share a core. The last core of a place may have fewer nodes.
   *
   * @param place the place of each node: its machine, or its region if there are no machines.
   */
  constructor(place: Int32Array | Uint16Array | Uint8Array, nodesPerCore: number, seed: number) {
    const nodes = place.length;
    this.of = new Int32Array(nodes);
    const last = new Map<number, { readonly core: number; nodes: number }>();
    let cores = 0;
    for (const id of shuffle(nodes, seed, 'cores')) {
      let open = last.get(place[id]!);
      if (open === undefined || open.nodes === nodesPerCore) {
        open = { core: cores++, nodes: 0 };
        last.set(place[id]!, open);
      }
      open.nodes++;
      this.of[id] = open.core;
    }
    this.#freeUs = new Float64Array(cores);
  }

  /** Returns the time at which the node's core would start work that arrives now, µs. */
  freeUs(id: number, nowUs: number): number {
    return Math.max(nowUs, this.#freeUs[this.of[id]!]!);
  }

  /** Assigns work to the node's core. @returns the end time of the work, at most {@link latestUs}, µs. */
  work(id: number, nowUs: number, costUs: number): number {
    const endUs = Math.min(latestUs, this.freeUs(id, nowUs) + costUs);
    this.#freeUs[this.of[id]!] = endUs;
    return endUs;
  }
}

/**
 * Costs of work on a node's machine, and the sharing of machines. The scenario's `verifyMs` is separate, because it
 * applies to every scenario.
 */
export interface CpuSettings {
  /** Maximum ratio of a node's speed to a standard one, in either direction; 1 makes all machines equal. */
  readonly spread: number;
  /** Cost of each public key that a verification adds on a standard node, µs, in addition to `verifyMs`. */
  readonly perKeyUs: number;
  /**
   * Cost of a message for its sender, and again for its receiver, on a standard node, µs; requires `nodesPerCore` of at
   * least 1.
   */
  readonly perMessageUs: number;
  /**
   * Number of nodes on a machine, or in a region without machines, that share one core for all their work, first come,
   * first served. With 0, each node verifies on its own core, and everything else takes no time (v1.03 section 6 and
   * appendix A).
   */
  readonly nodesPerCore: number;
  /**
   * Delay from when a busy core becomes free until it handles an expired timer, ms: one time slice of the scheduler.
   */
  readonly sliceMs: number;
  /**
   * Time between the starts of successive nodes on a machine, ms. The order of the nodes is drawn by seed; the field
   * requires machines.
   */
  readonly startsApartMs: number;
}

/**
 * Returns the ratio of each node's costs to a standard node's costs. Half of the ratios are uniform in [1/spread, 1],
 * half in [1, spread] (v1.03 appendix A, with a spread of 3).
 *
 * @param spread a ratio of at least 1.
 */
export function cpuFactors(nodes: number, seed: number, spread: number): Float32Array {
  const random = new RandomStream(seed, 'cpu');
  return Float32Array.from({ length: nodes }, () => {
    const faster = random.nextUnit() < 0.5;
    const at = random.nextUnit();
    return faster ? 1 / spread + at * (1 - 1 / spread) : 1 + at * (spread - 1);
  });
}
