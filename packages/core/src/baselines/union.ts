import type { AggregationScheme } from '../contribution/scheme.ts';
import { requireInteger } from '../errors.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';
import type { Quorum } from '../stakes/stakes.ts';

/** Block that contains the whole registry. */
export const wholeRegistry = 1;

/** Maximum number of nodes in a tree, and thus of contributions in a list with at most one contribution per node. */
const maxNodes = 2 ** 20;

/**
 * Returns the sum of individual contributions over the smallest block that contains them, retained once for the caller.
 * `individuals` must contain at least one contribution, and at most one per node. The function builds the sum subtree
 * by subtree, because sums of small sets are cheaper.
 */
export function sumOf(scheme: AggregationScheme, individuals: readonly Contribution[]): Contribution {
  const { tree } = scheme;
  // Each number combines a leaf and the index of its contribution, so that sorting needs no comparison function.
  const ordered = new Float64Array(individuals.length);
  for (let place = 0; place < ordered.length; place++) {
    ordered[place] = scheme.block(individuals[place]!) * maxNodes + place;
  }
  ordered.sort();
  /** Sums the contributions at indices [from, end). All of these contributions must lie in the block. */
  const sumWithin = (block: number, from: number, end: number): Contribution => {
    if (end - from === 1) {
      const only = individuals[ordered[from]! % maxNodes]!;
      scheme.retain(only);
      return only;
    }
    const firstOnTheRight = (block * 2 + 1) << (tree.order(block) - 1);
    const middle = firstAtLeast(ordered, firstOnTheRight * maxNodes, from, end);
    if (middle === end) return sumWithin(block * 2, from, end);
    if (middle === from) return sumWithin(block * 2 + 1, from, end);
    const left = sumWithin(block * 2, from, middle);
    const right = sumWithin(block * 2 + 1, middle, end);
    const sum = scheme.aggregate(block, left, right);
    scheme.release(left);
    scheme.release(right);
    return sum;
  };
  return sumWithin(1, 0, ordered.length);
}

/** Returns the first index in [from, end) whose value is at least `min`, or `end` if no value is. */
function firstAtLeast(ordered: Float64Array, min: number, from: number, end: number): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ordered[middle]! < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Maximum number of waiting contributions. With this number, the list stays small and the amortised cost of adding a
 * contribution is negligible.
 */
const maxWaiting = 256;

/**
 * The union of the contributions that a node without levels has verified and passed to the union, as a contribution
 * over the whole registry. The union adds individual contributions in batches, or when a caller reads it.
 */
export class Union {
  readonly outputs: Outputs;
  readonly #scheme: AggregationScheme;
  readonly #quorum: Quorum | undefined;
  #contribution: Contribution;
  /** Individual contributions that have not been added to the union yet. */
  readonly #waiting: Contribution[] = [];

  /**
   * @param own the node's individual contribution, with which the union begins.
   * @param quorum additional requirement for an output.
   */
  constructor(scheme: AggregationScheme, port: Port, threshold: number, own: Contribution, quorum?: Quorum) {
    this.#scheme = scheme;
    this.#quorum = quorum;
    this.outputs = new Outputs(scheme, port, threshold);
    this.#contribution = scheme.aggregate(wholeRegistry, own, noContribution);
  }

  /** The union, lent to the caller. */
  get contribution(): Contribution {
    if (this.#waiting.length > 0) this.#addWaiting();
    return this.#contribution;
  }

  /** Number of individual contributions in the union. */
  get weight(): number {
    return this.#scheme.weight(this.#contribution) + this.#waiting.length;
  }

  /** Adds a verified contribution that can be aggregated with the union. */
  add(contribution: Contribution): void {
    if (this.#scheme.block(contribution) < this.#scheme.tree.leafBase) {
      this.#unite(contribution);
      return;
    }
    this.#scheme.retain(contribution);
    this.#waiting.push(contribution);
    if (this.#waiting.length === maxWaiting) this.#addWaiting();
  }

  /** Replaces the union with a verified contribution over the whole registry and takes ownership of its reference. */
  replace(contribution: Contribution): void {
    this.#dropWaiting();
    this.#scheme.release(this.#contribution);
    this.#contribution = contribution;
  }

  /** Outputs the union if it meets the requirements for an output. */
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

/**
 * Outputs that a node passes to its application. Each output meets the threshold and is heavier than the previous
 * output (v1.03 section 2.4).
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

  /** Returns whether a contribution of this weight qualifies as an output. */
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
