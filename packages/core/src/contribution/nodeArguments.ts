import { requireMethods, requireObject } from '../arguments.ts';
import { expected, requireInteger } from '../errors.ts';
import { type Contribution, type Port, requirePort } from '../protocol.ts';
import type { AggregationScheme } from './scheme.ts';

/** Arguments common to the nodes of all protocols. */
interface NodeArguments {
  readonly id: number;
  readonly scheme: AggregationScheme;
  readonly own: Contribution;
  readonly port: Port;
}

const schemeMethods = ['weight', 'contains', 'aggregate', 'retain', 'release'];
const treeMethods = ['leaf', 'order'];

/** Checks that a value has the methods of an aggregation scheme. @throws TypeError for any other value. */
export function requireScheme(scheme: AggregationScheme): void {
  requireMethods('scheme', scheme, schemeMethods);
  requireMethods('scheme.tree', scheme.tree, treeMethods);
}

/**
 * Checks a node's arguments before it stores them. Otherwise a port that lacks a method would fail only in the middle
 * of a run.
 *
 * @throws TypeError for a missing argument or one of the wrong type; RangeError for an id out of range, and for an
 * `own` that is not the node's individual contribution.
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
