import { Tree } from '@tutti/core';
import { LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { hasLevels } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

const counted = new WeakMap<Recording, Int32Array | undefined>();

/**
 * Returns, for each honest node, the number of other honest nodes that have its contribution at the end, and 0 for
 * other nodes. Undefined if the recording does not contain the sets. A run is fair if all nodes have all contributions
 * (v1.03 section 4.1 (3)).
 */
export function heardBy(index: Pick<RunIndex, 'recording' | 'lines'>): Int32Array | undefined {
  // The result is cached, because it is needed for every shown node.
  if (!counted.has(index.recording)) counted.set(index.recording, count(index));
  return counted.get(index.recording);
}

function count({ recording, lines }: Pick<RunIndex, 'recording' | 'lines'>): Int32Array | undefined {
  const { kind, node, level, value, set, words, world, scenario } = recording;
  if (!hasLevels(scenario.protocol)) return undefined;
  const tree = new Tree(world.nodes, scenario.tree, scenario.branching);
  const by = new Int32Array(world.nodes);
  const last = new Int32Array(world.levels + 1);
  for (let id = 0; id < world.nodes; id++) {
    if (world.alive[id] !== NodeRole.honest) continue;
    last.fill(-1);
    for (const line of lines.line.subarray(lines.offset[id]!, lines.offset[id + 1]!))
      if (kind[line] === LineKind.improve && node[line] === id) last[level[line]!] = line;
    for (const [of, line] of last.entries()) {
      if (line < 0) continue;
      const block = tree.peerBlock(id, of);
      const [start, size] = [tree.start(block), tree.size(block)];
      const isAll = value[line]! >= size;
      if (!isAll && set[line]! < 0) return undefined;
      for (let bit = 0; bit < size; bit++)
        if (isAll || ((words[set[line]! + (bit >> 5)]! >>> (bit & 31)) & 1) === 1) by[start + bit]!++;
    }
  }
  for (let id = 0; id < world.nodes; id++) if (world.alive[id] !== NodeRole.honest) by[id] = 0;
  return by;
}
