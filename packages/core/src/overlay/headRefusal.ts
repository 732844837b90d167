import { knownFlags } from '../protocol.ts';
import type { ScreeningRefusal, WireRefusal } from '../refusals.ts';
import type { Tree } from './tree.ts';

/**
 * Returns the reason why no honest peer sends the receiver a message with this head (level, sender and flags), or
 * undefined if one may. A decoder calls it before it reads the rest. A node calls it again, because not every runtime
 * decodes bytes.
 *
 * @param level the level that the peer claims. The channel authenticates `from`.
 */
export function headRefusal(
  tree: Tree,
  receiver: number,
  from: number,
  level: number,
  flags: number,
): (ScreeningRefusal & WireRefusal) | undefined {
  if (!(level >= 1 && level <= tree.levels)) return 'level-out-of-range';
  if ((flags & ~knownFlags) !== 0) return 'unknown-flags';
  const block = tree.peerBlock(receiver, level);
  if (from >= 0 && from < tree.nodes && tree.leaf(from) >>> tree.levelOrder(level) === block) return undefined;
  return tree.size(block) === 0 ? 'level-empty' : 'sender-not-in-peer-set';
}
