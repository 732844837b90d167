import { shuffle } from '@tutti/core';
import { expected, requireInteger } from '@tutti/core/input';

/**
 * Distributions of validators over beacon nodes.
 *
 * - `one-each`: one node per validator, as in the post.
 * - `uniform`: every node has the same number, plus or minus one.
 * - `heavy-tailed`: a truncated Pareto distribution through two numbers from a secondary source, see {@link heavyTail};
 *   the remaining nodes have none.
 */
export const nodeDistributions = ['one-each', 'uniform', 'heavy-tailed'] as const;
/** Name of one of {@link nodeDistributions}. */
export type NodeDistribution = (typeof nodeDistributions)[number];

/**
 * Known numbers about validators per node. Heimbach et al. ("Deanonymizing Ethereum Validators", arXiv:2409.04366)
 * located more than 15 % of all validators on peers. Only the abstract of that paper was read. These two numbers come
 * from notes on its authors' talk, a secondary source: about 30 % of the nodes with validators have more than 100, and
 * the largest has 19,000.
 */
export const heavyTail = { overHundred: 0.3, largest: 19_000 } as const;

/**
 * Exponent for which a share of `overHundred` of the nodes with validators has more than 100, before the tail is
 * truncated.
 */
const tailExponent = -Math.log(heavyTail.overHundred) / Math.log(100);

/** Assignment of validators to nodes. */
export interface NodeMap {
  /** Number of validators of each node. */
  readonly validators: Int32Array;
  /** Node of each validator. Validators of one node are consecutive. */
  readonly nodeOf: Int32Array;
}

/**
 * Distributes validators over nodes. A seed determines which nodes are large.
 *
 * @param nodes 1 to 2^20; for `one-each` the number of validators.
 * @throws RangeError for counts out of range, or for `one-each` with other counts.
 */
export function mapNodes(distribution: NodeDistribution, validators: number, nodes: number, seed: number): NodeMap {
  requireInteger('validators', validators, 1, 2 ** 20);
  requireInteger('nodes', nodes, 1, 2 ** 20);
  if (distribution === 'one-each' && nodes !== validators) {
    throw new RangeError(expected('nodes', `as many as validators, ${validators}, where each has its own`, nodes));
  }
  const counts = distribution === 'heavy-tailed' ? heavyTailed(validators, nodes) : evenly(validators, nodes);
  const order = shuffle(nodes, seed, 'validators of nodes');
  const of = new Int32Array(nodes);
  order.forEach((node, rank) => {
    of[node] = counts[rank]!;
  });
  const nodeOf = new Int32Array(validators);
  let next = 0;
  for (let node = 0; node < nodes; node++) {
    nodeOf.fill(node, next, next + of[node]!);
    next += of[node]!;
  }
  return { validators: of, nodeOf };
}

function evenly(total: number, parts: number): Int32Array {
  return Int32Array.from(
    { length: parts },
    (_, part) => Math.floor(((part + 1) * total) / parts) - Math.floor((part * total) / parts),
  );
}

/**
 * Returns the numbers of validators by rank, the largest first. They are quantiles of the distribution for the number
 * of nodes that holds all validators.
 */
function heavyTailed(validators: number, nodes: number): Int32Array {
  let hosts = 1;
  let sum: number = heavyTail.largest;
  while (sum < validators && hosts < nodes) {
    hosts = Math.min(nodes, Math.max(hosts + 1, Math.round(hosts * 1.02)));
    sum = quantiles(hosts).reduce((all, one) => all + one, 0);
  }
  const shape = quantiles(hosts);
  const scale = validators / sum;
  const counts = new Int32Array(nodes);
  let left = validators;
  for (let rank = 0; rank < hosts; rank++) {
    counts[rank] = Math.max(1, Math.min(left - (hosts - 1 - rank), Math.round(shape[rank]! * scale)));
    left -= counts[rank]!;
  }
  // The largest node takes the rounding error.
  counts[0]! += left;
  return counts;
}

function quantiles(hosts: number): Float64Array {
  const cut = heavyTail.largest ** -tailExponent;
  return Float64Array.from({ length: hosts }, (_, rank) => {
    const above = cut + (1 - cut) * ((rank + 0.5) / hosts);
    return above ** (-1 / tailExponent);
  });
}
