import { type CountingScheme, MessageFlag } from '@tutti/core';
import { messageCode } from './codes.ts';

/**
 * What a Byzantine node may say: to every peer, on the level that they share, every set over its own subtree, valid or
 * forged, with its own individual contribution, a forged one or none, with or without the flag that its level is
 * complete. What the screening of v1.03 section 3.5.2 would drop is left out, since it changes nothing.
 *
 * Valid sets may contain contributions that the node has not received yet, so it can do more here than anywhere else.
 *
 * @returns codes of messages, ascending.
 */
export function injections(scheme: CountingScheme, byzantine: number): readonly number[] {
  const { tree } = scheme;
  const leaf = tree.leaf(byzantine);
  const messages: number[] = [];
  for (let to = 0; to < tree.nodes; to++) {
    if (to === byzantine) continue;
    const level = tree.levelBetween(byzantine, to);
    const block = tree.peerBlock(to, level);
    for (const flags of [0, MessageFlag.levelReceived]) {
      for (const individual of [0, code(leaf, 1, 0), code(leaf, 1, 1)]) {
        for (const forged of [0, 1]) {
          for (let set = 1; set < 1 << tree.size(block); set++) {
            const aggregate = code(block, set, forged);
            messages.push(messageCode({ from: byzantine, to, level, aggregate, individual, flags }));
          }
        }
      }
    }
  }
  return messages;
}

function code(block: number, set: number, forged: number): number {
  return (forged << 7) | (block << 4) | set;
}
