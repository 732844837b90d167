import { heldPaths, pathTime, type TimePath, timePath } from '@tutti/pixel';

/** Number of levels of the tree that are drawn: the first ones of the real tree's 32. */
export const drawnLevels = 4;
/** Number of nodes that are drawn. They are numbered from 1 in pre-order, so time goes from left to right. */
export const drawnNodes = 2 ** drawnLevels - 1;

/** State of a node of the tree of time for the present secret key. */
export type NodeCondition =
  /** Earlier: no sub-key leads to it any more. */
  | 'gone'
  /** The present node of the key. */
  | 'now'
  /** Later; its sub-key is held. */
  | 'held'
  /** Later; it can be derived from a sub-key that is held. */
  | 'to-come';

export interface TimeNode {
  /** Number of the node, 1 to {@link drawnNodes}. */
  readonly number: number;
  readonly path: TimePath;
  /** Level of the node; 0 is the root. */
  readonly level: number;
  /** Last node at or below it. Its sub-key derives those of `number` to `last`. */
  readonly last: number;
  /** Number of its parent; undefined for the root. */
  readonly parent: number | undefined;
  /** Period of this node in the real tree. */
  readonly period: number;
}

/** The nodes that are drawn, by number. */
export const timeNodes: readonly TimeNode[] = Array.from({ length: drawnNodes }, (_, at) => {
  const number = at + 1;
  const path = timePath(number, drawnLevels);
  return {
    number,
    path,
    level: path.length,
    last: number + 2 ** (drawnLevels - path.length) - 2,
    parent: path.length === 0 ? undefined : pathTime(path.slice(0, -1), drawnLevels),
    period: pathTime(path),
  };
});

/** Returns the numbers of the nodes whose sub-keys a node's secret key holds, its own first. */
export function heldNodes(now: number): number[] {
  return heldPaths(now, drawnLevels).map((path) => pathTime(path, drawnLevels));
}

export function conditionOf(number: number, now: number): NodeCondition {
  if (number < now) return 'gone';
  if (number === now) return 'now';
  return heldNodes(now).includes(number) ? 'held' : 'to-come';
}
