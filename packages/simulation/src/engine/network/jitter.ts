import { RandomStream } from '@tutti/core';
import { mix32 } from '@tutti/core/packed';
import type { Latencies } from './networkModel.ts';

/** Increment between the states of a Weyl sequence. */
const step = 0x9e3779b9;

/**
 * Number of entries of the jitter's quantile table. A table look-up costs a third of the power that the variate needs.
 */
const quantiles = 4096;

const tableUs = Int32Array.from({ length: quantiles }, (_, index) => {
  const u = Math.min(0.99, (index + 0.5) / quantiles);
  return Math.max(0, Math.round(1000 * (-0.3 + (0.35 * ((1 - u) ** -1.4 - 1)) / 1.4)));
});

/**
 * The internet's jitter as the simulator of the paper draws it, in ms. It is a generalised Pareto variate with shape
 * 1.4, location -0.3 and scale 0.35 (median 0.11, 90th percentile 5.7), cut at 0 and at the 99th percentile.
 */
export class Jitter {
  readonly #state: Int32Array;

  constructor(nodes: number, seed: number) {
    const random = new RandomStream(seed, 'latency');
    this.#state = new Int32Array(nodes);
    for (let node = 0; node < nodes; node++) this.#state[node] = random.nextUint32();
  }

  /** Returns the next delay of a sender, µs: a Weyl sequence, mixed. */
  nextUs(sender: number): number {
    const state = (this.#state[sender]! + step) | 0;
    this.#state[sender] = state;
    return tableUs[mix32(state) >>> 20]!;
  }

  /** Draws many delays at once, which takes less than half of the time per delay. */
  #draw(sender: number, into: Int32Array, count: number): void {
    let state = this.#state[sender]!;
    for (let index = 0; index < count; index++) {
      state = (state + step) | 0;
      into[index] = tableUs[mix32(state) >>> 20]!;
    }
    this.#state[sender] = state;
  }

  /** Returns latencies with the given paths and this jitter. */
  along(wayUs: Latencies['wayUs']): Latencies {
    return {
      wayUs,
      drawJitter: (from, into, count) => this.#draw(from, into, count),
      oneWayUs: (from, to) => wayUs(from, to) + this.nextUs(from),
    };
  }
}
