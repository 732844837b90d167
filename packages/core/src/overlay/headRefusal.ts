import { knownFlags } from '../protocol.ts';
import type { ScreeningRefusal, WireRefusal } from '../refusals.ts';
import type { Tree } from './tree.ts';

/**
 * Why no honest peer sends a message with such a head to the receiver: its level, its sender, its flags. Undefined if
 * one may. A decoder asks before it reads the rest, and a node asks again, since not every runtime decodes bytes.
 *
 * @param level a peer's word; `from` is the channel's.
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
