import { peerSet } from '@tutti/core';
import { LineKind } from '@tutti/simulation';
import { nodeStory } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Value for "never" in {@link heldMatrix}. */
export const never = 2 ** 31 - 1;

/**
 * Returns the times from which each node holds each signature: `since[node * nodes + signer]`, µs. A node replaces
 * In_level as a whole, so a signature that it lost counts from its first arrival. The matrix has N squared entries and
 * suits only small runs.
 *
 * @param index run of Handel with recorded sets.
 */
export function heldMatrix(index: RunIndex): Int32Array {
  const { recording } = index;
  const { tree, branching } = recording.scenario;
  const { nodes, levels } = recording.world;
  const { kind, node, timeUs, set, words, value } = recording;
  const since = new Int32Array(nodes * nodes).fill(never);
  for (let line = 0; line < recording.length; line++) {
    if (kind[line] === LineKind.start) since[node[line]! * nodes + node[line]!] = timeUs[line]!;
  }
  for (let id = 0; id < nodes; id++) {
    const { improvements } = nodeStory(index, id);
    for (let level = 1; level <= levels; level++) {
      const peers = peerSet(id, level, nodes, tree, branching);
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

/** Returns the times at which the last of the nodes held 2, 4, 8, ... signatures, µs; `never` if a node never did. */
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

/** Message that carried a signature onwards: its sender, receiver, level and times. */
export interface Hop {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly sentUs: number;
  readonly arrivedUs: number;
  /** Time at which the message was verified and accepted, so that the receiver held the signature, µs. */
  readonly heldUs: number;
}

/**
 * Returns the messages by which a signature first reached a node, in order, or undefined if it never did.
 *
 * @param since {@link heldMatrix} of the run.
 */
export function wayOf(
  signer: number,
  to: number,
  { recording }: RunIndex,
  since: Int32Array,
): readonly Hop[] | undefined {
  const { kind, node, peer, level, timeUs, untilUs, value, length } = recording;
  const { nodes } = recording.world;
  const hops: Hop[] = [];
  for (let at = to; at !== signer; at = hops[0]!.from) {
    const heldUs = since[at * nodes + signer]!;
    let found: Hop | undefined;
    for (let check = 0; check < length && found === undefined; check++) {
      if (kind[check] !== LineKind.check || node[check] !== at || untilUs[check] !== heldUs || value[check]! < 0)
        continue;
      const from = peer[check]!;
      // The verified message is the last message of this weight that the sender sent when it already had the signature
      // and that arrived before the check. Every message also carries its sender's own signature.
      for (let line = 0; line < check; line++) {
        if (kind[line] !== LineKind.send || node[line] !== from || peer[line] !== at) continue;
        const isIt = untilUs[line]! >= 0 && (value[line] === value[check] || (value[check] === 1 && from === signer));
        if (!isIt || untilUs[line]! > timeUs[check]! || timeUs[line]! < since[from * nodes + signer]!) continue;
        found = { from, to: at, level: level[line]!, sentUs: timeUs[line]!, arrivedUs: untilUs[line]!, heldUs };
      }
    }
    if (found === undefined) return undefined;
    hops.unshift(found);
  }
  return hops;
}
