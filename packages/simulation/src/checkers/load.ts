import type { World } from '../world/world.ts';

/** Maximum ratio of a node's received messages to the mean of all nodes. */
export const loadFactor = 5;

/**
 * Counts messages from honest nodes to honest nodes; Byzantine nodes may send anything. Messages that reach a node
 * before its start do not count: the others cannot know that it is late, and continue to send
 * (docs/concepts/back-off.md).
 */
export class LoadChecker {
  readonly #world: World;
  readonly #received: Int32Array;

  constructor(world: World) {
    this.#world = world;
    this.#received = new Int32Array(world.alive.length);
  }

  onMessage(from: number, to: number, nowUs: number): void {
    if (this.#world.attack[from] === -1 && nowUs >= this.#world.startUs[to]!) this.#received[to]!++;
  }

  /**
   * Returns the live node that received the most messages, if it received over {@link loadFactor} times the mean;
   * otherwise undefined.
   */
  broken(): { readonly node: number; readonly what: string } | undefined {
    const { alive, live } = this.#world;
    let sum = 0;
    let node = -1;
    for (let id = 0; id < alive.length; id++) {
      if (alive[id] === 0) continue;
      sum += this.#received[id]!;
      if (node < 0 || this.#received[id]! > this.#received[node]!) node = id;
    }
    const max = (loadFactor * sum) / live;
    if (this.#received[node]! <= max) return undefined;
    return { node, what: `expected at most ${Math.round(max)} messages received, got ${this.#received[node]}` };
  }
}
