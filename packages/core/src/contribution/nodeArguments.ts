import { expected, requireInteger, requireMethods, requireObject } from '../errors.ts';
import { type Contribution, type Port, requirePort } from '../protocol.ts';
import type { AggregationScheme } from './scheme.ts';

/** What every protocol's node is made of. */
interface NodeArguments {
  readonly id: number;
  readonly scheme: AggregationScheme;
  readonly own: Contribution;
  readonly port: Port;
}

const ofSchemes = ['weight', 'contains', 'aggregate', 'retain', 'release'];
const ofTrees = ['leaf', 'order'];

/** @throws TypeError unless it is an aggregation scheme, as far as can be seen. */
export function requireScheme(scheme: AggregationScheme): void {
  requireMethods('scheme', scheme, ofSchemes);
  requireMethods('scheme.tree', scheme.tree, ofTrees);
}

/**
 * Looks at what a node is made of before anything is kept of it: a port without one of its methods would otherwise be
 * met in the midst of a run.
 *
 * @throws TypeError for what is missing or of another kind; RangeError for an id of no node, and where `own` is not of
 *   the node.
 */
export function requireNodeArguments(options: NodeArguments): void {
  requireObject('options', options);
  const { id, scheme, own, port } = options;
  requireScheme(scheme);
  requireInteger('id', id, 0, scheme.tree.nodes - 1);
  requirePort(port);
  if (!Number.isInteger(own)) throw new TypeError(expected('own', 'a contribution', own));
  if (own <= 0 || !scheme.contains(own, id))
    throw new RangeError(expected('own', `the individual contribution of node ${id}`, own));
}
