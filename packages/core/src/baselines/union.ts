import type { AggregationScheme } from '../contribution/scheme.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';
import type { Quorum } from '../stakes/stakes.ts';
import { Outputs, wholeRegistry } from './outputs.ts';
import { sumOf } from './sum.ts';

/** How many wait at most: then adding up has all but gone, and they take little room. */
const mostWaiting = 256;

/**
 * The contribution over the whole registry in which a node without levels unites everything it has verified. Individual
 * contributions are added many at a time, or when the union is asked for: before the threshold, nobody asks.
 */
export class Union {
  readonly outputs: Outputs;
  readonly #scheme: AggregationScheme;
  readonly #quorum: Quorum | undefined;
  #contribution: Contribution;
  /** Individual contributions that are in and still to be added to it. */
  readonly #waiting: Contribution[] = [];

  /** @param own the node's individual contribution, the first that is in. @param quorum what an output needs besides. */
  constructor(scheme: AggregationScheme, port: Port, threshold: number, own: Contribution, quorum?: Quorum) {
    this.#scheme = scheme;
    this.#quorum = quorum;
    this.outputs = new Outputs(scheme, port, threshold);
    this.#contribution = scheme.aggregate(wholeRegistry, own, noContribution);
  }

  /** Lent. */
  get contribution(): Contribution {
    if (this.#waiting.length > 0) this.#addWaiting();
    return this.#contribution;
  }

  get weight(): number {
    return this.#scheme.weight(this.#contribution) + this.#waiting.length;
  }

  /** Takes in a verified contribution that is disjoint from what is in. */
  add(contribution: Contribution): void {
    const isIndividual = this.#scheme.block(contribution) >= this.#scheme.tree.leafBase;
    if (!isIndividual) {
      this.#unite(contribution);
      return;
    }
    this.#scheme.retain(contribution);
    this.#waiting.push(contribution);
    if (this.#waiting.length === mostWaiting) this.#addWaiting();
  }

  /**
   * Puts a verified contribution over the whole registry in the place of all that is in; its holder is the union now.
   */
  replace(contribution: Contribution): void {
    this.#dropWaiting();
    this.#scheme.release(this.#contribution);
    this.#contribution = contribution;
  }

  /** Gives an output, where it is time for one. */
  offer(): void {
    if (!this.outputs.isDue(this.weight)) return;
    const { contribution } = this;
    if (this.#quorum?.isMet(this.#scheme.setWords(contribution)) !== false) this.outputs.offer(contribution);
  }

  #unite(contribution: Contribution): void {
    const wider = this.#scheme.aggregate(wholeRegistry, this.#contribution, contribution);
    this.#scheme.release(this.#contribution);
    this.#contribution = wider;
  }

  #addWaiting(): void {
    const sum = sumOf(this.#scheme, this.#waiting);
    this.#unite(sum);
    this.#scheme.release(sum);
    this.#dropWaiting();
  }

  #dropWaiting(): void {
    for (const contribution of this.#waiting) this.#scheme.release(contribution);
    this.#waiting.length = 0;
  }
}
