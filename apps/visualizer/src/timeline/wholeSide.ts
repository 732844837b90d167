import { Tree } from '@tutti/core';
import type { Recording } from '@tutti/simulation';

const trees = new WeakMap<Recording['world'], Tree>();

/**
 * Does the message of a `send` line carry all that its sender's side has? One contribution alone, which is all of level
 * 0, is no news.
 */
export function isWholeSide({ scenario, world, node, level, value }: Recording, line: number): boolean {
  if (value[line]! <= 1 || level[line]! === 0) return false;
  let tree = trees.get(world);
  if (tree === undefined) {
    tree = new Tree(world.nodes, scenario.tree, scenario.branching);
    trees.set(world, tree);
  }
  return value[line] === tree.size(tree.ownBlock(node[line]!, level[line]!));
}
