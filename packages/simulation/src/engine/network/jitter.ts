import { RandomStream } from '@tutti/core';
import { mix32 } from '@tutti/core/internal';
import type { Latencies } from './networkModel.ts';

/** Entries of the jitter's quantile table: a table look-up costs a third of the power that the variate needs. */
const quantiles = 4096;

/**
 * The internet's jitter as the simulator of the paper draws it: a generalised Pareto variate in ms with shape 1.4,
 * location -0.3 and scale
 * 0.35 (median 0.11, 90th percentile 5.7), not under 0 and capped at the 99th percentile.
 */
export class Jitter {
  static readonly #tableUs = Jitter.#makeTable();
  readonly #state: Int32Array;

  constructor(nodes: number, seed: number) {
    const random = new RandomStream(seed, 'latency');
    this.#state = new Int32Array(nodes);
    for (let node = 0; node < nodes; node++) this.#state[node] = random.nextUint32();
  }

  /** The next of the sender's delays: a Weyl sequence, mixed. */
  nextUs(sender: number): number {
    const state = (this.#state[sender]! + 0x9e3779b9) | 0;
    this.#state[sender] = state;
    return Jitter.#tableUs[mix32(state) >>> 20]!;
  }

  /** Latencies of ways that are told, with this jitter. */
  along(wayUs: Latencies['wayUs']): Latencies {
    return {
      wayUs,
      jitterUs: (from) => this.nextUs(from),
      oneWayUs: (from, to) => wayUs(from, to) + this.nextUs(from),
    };
  }

  static #makeTable(): Int32Array {
    return Int32Array.from({ length: quantiles }, (_, index) => {
      const u = Math.min(0.99, (index + 0.5) / quantiles);
      return Math.max(0, Math.round(1000 * (-0.3 + (0.35 * ((1 - u) ** -1.4 - 1)) / 1.4)));
    });
  }
}
