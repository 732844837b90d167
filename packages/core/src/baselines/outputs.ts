import type { AggregationScheme } from '../contribution/scheme.ts';
import { requireInteger } from '../errors.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';

/** Block that contains the whole registry. */
export const wholeRegistry = 1;

/**
 * Outputs of a node to its application. Each output meets the threshold and is heavier than the previous output (v1.03
 * section 2.4).
 */
export class Outputs {
  readonly #scheme: AggregationScheme;
  readonly #port: Port;
  readonly #threshold: number;
  #heaviest = 0;

  /** @throws RangeError for a threshold outside 1 to N. */
  constructor(scheme: AggregationScheme, port: Port, threshold: number) {
    requireInteger('threshold', threshold, 1, scheme.tree.nodes);
    this.#scheme = scheme;
    this.#port = port;
    this.#threshold = threshold;
  }

  /** Whether the node has produced an output. */
  get reached(): boolean {
    return this.#heaviest > 0;
  }

  /** Returns whether a contribution of this weight would be an output. */
  isDue(weight: number): boolean {
    return weight >= this.#threshold && weight > this.#heaviest;
  }

  /** Outputs the contribution, widened to the whole registry, if it is heavy enough. */
  offer(contribution: Contribution): void {
    const weight = this.#scheme.weight(contribution);
    if (!this.isDue(weight)) return;
    this.#heaviest = weight;
    if (this.#scheme.block(contribution) === wholeRegistry) {
      this.#port.output(contribution);
      return;
    }
    const whole = this.#scheme.aggregate(wholeRegistry, contribution, noContribution);
    this.#port.output(whole);
    this.#scheme.release(whole);
  }
}
