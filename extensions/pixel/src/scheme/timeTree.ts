import { misuse, requireList, shown } from '@tutti/wasm-bls/kernel';

/**
 * Number of levels D of the tree of time. The nodes of the tree are the times, so no time uses the last generator,
 * which is reserved for the message.
 */
export const timeTreeDepth = 32;

/** Last valid time. Times are 1 to this value, one for each node of the tree in pre-order. */
export const lastTime = 2 ** timeTreeDepth - 1;

/** A node of the tree of time, given by its path from the root: 1 for a left child and 2 for a right child. */
export type TimePath = readonly (1 | 2)[];

/** Checks that a number is a valid time. @throws RangeError for any other number. */
export function requireTime(label: string, time: number, first = 1, last = lastTime): void {
  if (Number.isInteger(time) && time >= first && time <= last) return;
  throw misuse(RangeError, label, `an integer from ${first} to ${last}`, shown(time));
}

/**
 * Returns the node of a time. Nodes are numbered in pre-order from 1.
 *
 * @param depth number of levels of the tree; times are 1 to 2^depth - 1.
 * @throws RangeError for an invalid time.
 */
export function timePath(time: number, depth = timeTreeDepth): TimePath {
  requireTime('time', time, 1, 2 ** depth - 1);
  const path: (1 | 2)[] = [];
  let rest = time;
  for (let below = depth - 1; rest > 1; below--) {
    const isRight = rest > 2 ** below;
    path.push(isRight ? 2 : 1);
    rest -= isRight ? 2 ** below : 1;
  }
  return path;
}

/** Returns the time of a node of the tree, the inverse of {@link timePath}. */
export function pathTime(path: TimePath, depth = timeTreeDepth): number {
  requireList('path', path);
  return path.reduce<number>((time, step, level) => time + (step === 1 ? 1 : 2 ** (depth - 1 - level)), 1);
}

/**
 * Returns the nodes whose sub-keys form the secret key for a time, in chronological order: the time's own node, and the
 * right sibling for each left step on the path to that node. Every later time is one of these nodes or a descendant of
 * one; no earlier time is.
 */
export function heldPaths(time: number, depth = timeTreeDepth): TimePath[] {
  const path = timePath(time, depth);
  const siblings = path.flatMap((step, i) => (step === 1 ? [[...path.slice(0, i), 2] as TimePath] : []));
  return [path, ...siblings.reverse()];
}
