import type { AggregationScheme } from '../contribution/scheme.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';
import type { Quorum } from '../stakes/stakes.ts';
import { Outputs, wholeRegistry } from './outputs.ts';

/** Of a tree: the places in a list of contributions are fewer. */
const maxNodes = 2 ** 20;

/**
 * The sum of individual contributions, at least one and no two by one node, over the smallest block that holds them;
 * retained once for the caller. It is summed subtree by subtree, so that most of the sums are of small sets, which are
 * the cheapest.
 */
export function sumOf(scheme: AggregationScheme, individuals: readonly Contribution[]): Contribution {
  const { tree } = scheme;
  // A leaf and the place of its contribution in one number, so that the engine sorts without a comparison function.
  const ordered = new Float64Array(individuals.length);
  for (let place = 0; place < ordered.length; place++) {
    ordered[place] = scheme.block(individuals[place]!) * maxNodes + place;
  }
  ordered.sort();
  /** Of those from one place in the order to before another, all in the block. */
  const sumWithin = (block: number, from: number, end: number): Contribution => {
    if (end - from === 1) {
      const only = individuals[ordered[from]! % maxNodes]!;
      scheme.retain(only);
      return only;
    }
    const firstOnTheRight = (block * 2 + 1) << (tree.order(block) - 1);
    const middle = placeOf(ordered, firstOnTheRight * maxNodes, from, end);
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

/** The first place in [from, end) whose value is not less than `least`; `end` if there is none. */
function placeOf(ordered: Float64Array, least: number, from: number, end: number): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ordered[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many wait at most: then adding up has all but gone, and they take little room. */
const maxWaiting = 256;

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
    if (this.#waiting.length === maxWaiting) this.#addWaiting();
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
