import { RandomStream, shuffle } from '@tutti/core';

/**
 * Cores that nodes share, as the machines of the published runs did (v1.03 section 7.1). A core does what it is given
 * in the order in which it is given it, without interruption, so that a message waits for the neighbour's verification.
 */
export class Cores {
  /** The core of each node. */
  readonly of: Int32Array;
  /** When each core has done all that it was given, microseconds. */
  readonly #freeUs: Float64Array;

  /**
   * Neighbours are drawn by seed from the nodes of one place; the last of a place may have fewer.
   *
   * @param place of each node: its machine, or its region where there are no machines.
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

  /** When the node's core would begin with something that is given to it now. */
  freeUs(id: number, nowUs: number): number {
    return Math.max(nowUs, this.#freeUs[this.of[id]!]!);
  }

  /** Gives the node's core work; @returns when it has done it. */
  work(id: number, nowUs: number, costUs: number): number {
    const endUs = this.freeUs(id, nowUs) + costUs;
    this.#freeUs[this.of[id]!] = endUs;
    return endUs;
  }
}

/**
 * What work costs on a node's machine, and who shares one. Kept apart from the scenario's `verifyMs`, which every world
 * has.
 */
export interface CpuSettings {
  /** A node is up to this many times slower or faster than a standard one; 1 makes all machines alike. */
  readonly spread: number;
  /** What each public key that a verification adds up costs on a standard node, µs, over `verifyMs`. */
  readonly perKeyUs: number;
  /** What a message costs who sends it, and again who takes it in, µs on a standard node; needs a shared core. */
  readonly perMessageUs: number;
  /**
   * Nodes of a region that share one core for all they do, first come first served. With 0 each verifies on a core of
   * its own, and everything else takes no time (v1.03 section 6 and appendix A).
   */
  readonly nodesPerCore: number;
  /** How much longer a timer waits if its shared core is busy, ms: the time slice of a scheduler. */
  readonly sliceMs: number;
  /**
   * How much later each further live node of a machine starts than the one before it, ms, in an order drawn by seed;
   * needs machines.
   */
  readonly startsApartMs: number;
}

/**
 * What work costs on each node over what it costs on a standard one: half of the nodes uniform in [1/spread, 1], half
 * in [1, spread] (v1.03 appendix A, with a spread of 3).
 */
export function cpuFactors(nodes: number, seed: number, spread = 3): Float32Array {
  const random = new RandomStream(seed, 'cpu');
  return Float32Array.from({ length: nodes }, () => {
    const faster = random.nextUnit() < 0.5;
    const at = random.nextUnit();
    return faster ? 1 / spread + at * (1 - 1 / spread) : 1 + at * (spread - 1);
  });
}
