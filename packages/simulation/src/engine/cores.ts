import { shuffle } from '@tutti/core';

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
  constructor(place: Int32Array | Uint8Array, nodesPerCore: number, seed: number) {
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
