import type { AggregationScheme } from '../contribution/scheme.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';
import { Outputs, wholeRegistry } from './outputs.ts';

/** The one contribution over the whole registry in which a node without levels unites what it has verified. */
export class Union {
  readonly outputs: Outputs;
  readonly #scheme: AggregationScheme;
  #contribution: Contribution;

  /** @param own the node's individual contribution, the first that is in. */
  constructor(scheme: AggregationScheme, port: Port, threshold: number, own: Contribution) {
    this.#scheme = scheme;
    this.outputs = new Outputs(scheme, port, threshold);
    this.#contribution = scheme.aggregate(wholeRegistry, own, noContribution);
  }

  /** Lent. */
  get contribution(): Contribution {
    return this.#contribution;
  }

  get weight(): number {
    return this.#scheme.weight(this.#contribution);
  }

  /** Aggregates a verified contribution that is disjoint from what is in. */
  add(contribution: Contribution): void {
    this.replace(this.#scheme.aggregate(wholeRegistry, this.#contribution, contribution));
  }

  /** Puts a verified contribution over the whole registry in the place of all that is in; its holder is the union now. */
  replace(contribution: Contribution): void {
    this.#scheme.release(this.#contribution);
    this.#contribution = contribution;
  }

  /** Gives an output, where it is time for one. */
  offer(): void {
    this.outputs.offer(this.#contribution);
  }
}
