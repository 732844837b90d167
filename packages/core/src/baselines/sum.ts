import type { AggregationScheme } from '../contribution/scheme.ts';
import type { Contribution } from '../protocol.ts';

/** Of a tree: the places in a list of contributions are fewer. */
const mostNodes = 2 ** 20;

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
    ordered[place] = scheme.block(individuals[place]!) * mostNodes + place;
  }
  ordered.sort();
  /** Of those from one place in the order to before another, all in the block. */
  const sumWithin = (block: number, from: number, end: number): Contribution => {
    if (end - from === 1) {
      const only = individuals[ordered[from]! % mostNodes]!;
      scheme.retain(only);
      return only;
    }
    const firstOnTheRight = (block * 2 + 1) << (tree.order(block) - 1);
    const middle = placeOf(ordered, firstOnTheRight * mostNodes, from, end);
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
