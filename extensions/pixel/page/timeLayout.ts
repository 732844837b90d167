import { heldPaths, pathTime, type TimePath, timePath } from '@tutti/pixel';

/** Number of drawn levels of the tree, from the root; the real tree has 32 levels. */
export const drawnLevels = 4;
/** Number of drawn nodes. The nodes are numbered from 1 in pre-order, so time goes from left to right. */
export const drawnNodes = 2 ** drawnLevels - 1;

/** State of a node of the tree of time for the present secret key. */
export type NodeCondition =
  /** Earlier node, to which no sub-key leads any more. */
  | 'gone'
  /** The key's present node. */
  | 'now'
  /** Later node whose sub-key is stored. */
  | 'held'
  /** Later node whose sub-key can be derived from a stored sub-key. */
  | 'to-come';

interface TimeNode {
  /** Number of the node, 1 to {@link drawnNodes}. */
  readonly number: number;
  readonly path: TimePath;
  /** Level of the node; 0 is the root. */
  readonly level: number;
  /** Number of the last node in the subtree. The node's sub-key gives the sub-keys of nodes `number` to `last`. */
  readonly last: number;
  /** Number of the parent node; undefined for the root. */
  readonly parent: number | undefined;
  /** Period of the node in the real tree. */
  readonly period: number;
}

/** Drawn nodes, in order of their numbers. */
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

/** Returns the numbers of the nodes whose sub-keys are part of a node's secret key; the node itself comes first. */
export function heldNodes(now: number): number[] {
  return heldPaths(now, drawnLevels).map((path) => pathTime(path, drawnLevels));
}

export function conditionOf(number: number, now: number): NodeCondition {
  if (number < now) return 'gone';
  if (number === now) return 'now';
  return heldNodes(now).includes(number) ? 'held' : 'to-come';
}
