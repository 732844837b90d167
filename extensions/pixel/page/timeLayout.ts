import { heldPaths, pathTime, type TimePath, timePath } from '@tutti/pixel';

/** Levels of the tree that are drawn: the first ones of the real tree's 32. */
export const drawnLevels = 4;
/** Nodes that are drawn. They are numbered from 1 in pre-order, so that time goes from left to right. */
export const drawnNodes = 2 ** drawnLevels - 1;

/** What a node of the tree of time means to the present secret key. */
export type NodeCondition =
  /** Earlier: no sub-key leads to it any more. */
  | 'gone'
  /** The key's own. */
  | 'now'
  /** Later, its sub-key is held. */
  | 'held'
  /** Later, to be made of a sub-key that is held. */
  | 'to-come';

export interface TimeNode {
  /** 1 to {@link drawnNodes}. */
  readonly number: number;
  readonly path: TimePath;
  /** 0 is the root. */
  readonly level: number;
  /** The last node at or below it: its sub-key makes those of `number` to `last`. */
  readonly last: number;
  /** The number of the node above; undefined for the root. */
  readonly parent: number | undefined;
  /** The period that the real tree numbers this node by. */
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

/** The numbers of the nodes whose sub-keys a secret key of a node holds, its own first. */
export function heldNodes(now: number): number[] {
  return heldPaths(now, drawnLevels).map((path) => pathTime(path, drawnLevels));
}

export function conditionOf(number: number, now: number): NodeCondition {
  if (number < now) return 'gone';
  if (number === now) return 'now';
  return heldNodes(now).includes(number) ? 'held' : 'to-come';
}
