import { peerSet } from '@tutti/core';
import { LineKind } from '@tutti/simulation';
import { nodeStory } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Stands for "never" in {@link heldMatrix}. */
export const never = 2 ** 31 - 1;

/**
 * Since when each node holds each signature: `since[node * nodes + signer]`, microseconds. In_level is replaced as a
 * whole, so a signature that a level held and lost counts from when it first came. N squared entries: for the small
 * runs that are viewed signature by signature.
 *
 * @param index of a run of Handel whose sets were kept.
 */
export function heldMatrix(index: RunIndex): Int32Array {
  const { recording } = index;
  const { nodes, levels } = recording.world;
  const { kind, node, timeUs, set, words, value } = recording;
  const since = new Int32Array(nodes * nodes).fill(never);
  for (let line = 0; line < recording.length; line++) {
    if (kind[line] === LineKind.start) since[node[line]! * nodes + node[line]!] = timeUs[line]!;
  }
  for (let id = 0; id < nodes; id++) {
    const { improvements } = nodeStory(index, id);
    for (let level = 1; level <= levels; level++) {
      const peers = peerSet(id, level, nodes, recording.scenario.tree);
      const size = peers.end - peers.start;
      for (const line of improvements[level]!) {
        const start = set[line]!;
        const isWhole = value[line]! >= size;
        for (let bit = 0; bit < size; bit++) {
          const isIn = isWhole || (start >= 0 && ((words[start + (bit >> 5)]! >>> (bit & 31)) & 1) === 1);
          const at = id * nodes + peers.start + bit;
          if (isIn && timeUs[line]! < since[at]!) since[at] = timeUs[line]!;
        }
      }
    }
  }
  return since;
}

/** When the last of the nodes held 2, 4, 8, ... signatures, microseconds; `never` where one never did. */
export function doublings(since: Int32Array, nodes: number): readonly number[] {
  const times: number[] = [];
  for (let size = 2; size <= nodes; size *= 2) {
    let last = 0;
    for (let id = 0; id < nodes; id++) {
      const held = since.slice(id * nodes, (id + 1) * nodes).sort();
      last = Math.max(last, held[size - 1]!);
    }
    times.push(last);
  }
  return times;
}
