import { type HeldSteps, upperBound } from './heldSteps.ts';

/**
 * What each node holds at a moment that moves on. From one frame to the next most nodes hold the same, so the step
 * found last is tried before searching.
 */
export class HeldCursor {
  readonly #steps: HeldSteps;
  /** For each node, the interval in which the step found last is right, µs. */
  readonly #sinceUs: Float64Array;
  readonly #untilUs: Float64Array;
  readonly #held: Int32Array;

  constructor(steps: HeldSteps) {
    this.#steps = steps;
    const nodes = steps.offset.length - 1;
    this.#sinceUs = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY);
    this.#untilUs = new Float64Array(nodes);
    this.#held = new Int32Array(nodes);
  }

  /** As `heldAt` has it. */
  at(id: number, atUs: number): number {
    if (atUs < this.#sinceUs[id]! || atUs >= this.#untilUs[id]!) this.#find(id, atUs);
    return this.#held[id]!;
  }

  #find(id: number, atUs: number): void {
    const { offset, timeUs, held } = this.#steps;
    const [first, end] = [offset[id]!, offset[id + 1]!];
    const after = upperBound(timeUs, atUs, first, end);
    this.#sinceUs[id] = after === first ? Number.NEGATIVE_INFINITY : timeUs[after - 1]!;
    this.#untilUs[id] = after === end ? Number.POSITIVE_INFINITY : timeUs[after]!;
    this.#held[id] = after === first ? 0 : held[after - 1]!;
  }
}
