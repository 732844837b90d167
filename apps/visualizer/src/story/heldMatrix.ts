import { peerSet } from '@tutti/core';
import { LineKind, type Recording } from '@tutti/simulation';
import { never } from '../race/raceFile.ts';
import { hasBit } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/**
 * Returns the times from which each node holds each signature: `since[node * nodes + signer]`, µs, or {@link never}.
 * A node replaces In_level as a whole; a signature that was lost in this way still counts from its first arrival. The
 * matrix has N² entries and therefore suits only small runs.
 *
 * @param recording run of Handel with recorded sets.
 */
export function heldMatrix({ recording }: Pick<RunIndex, 'recording'>): Int32Array {
  const { kind, node, level, timeUs, set, words, value, length, scenario } = recording;
  const { nodes } = recording.world;
  const since = new Int32Array(nodes * nodes).fill(never);
  for (let line = 0; line < length; line++) {
    const id = node[line]!;
    const row = since.subarray(id * nodes, (id + 1) * nodes);
    if (kind[line] === LineKind.start) row[id] = timeUs[line]!;
    if (kind[line] !== LineKind.improve || level[line] === 0) continue;
    const { start, end } = peerSet(id, level[line]!, nodes, scenario.tree, scenario.branching);
    const isWhole = value[line]! >= end - start;
    for (let bit = 0; start + bit < end; bit++)
      if (isWhole || (set[line]! >= 0 && hasBit(words, set[line]!, bit)))
        row[start + bit] = Math.min(row[start + bit]!, timeUs[line]!);
  }
  return since;
}

/**
 * Returns the times at which the last node reached 2, 4, 8, ... signatures, µs; `never` if some node did not reach this
 * number.
 */
export function doublingTimes(since: Int32Array, nodes: number): readonly number[] {
  const rows = Array.from({ length: nodes }, (_, id) => since.slice(id * nodes, (id + 1) * nodes).sort());
  const times: number[] = [];
  for (let size = 2; size <= nodes; size *= 2) times.push(Math.max(...rows.map((held) => held[size - 1]!)));
  return times;
}

/** Message that carried a signature onwards: its sender, receiver, level and times. */
export interface Hop {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly sentUs: number;
  /** Time at which the receiver verified and accepted the message and so obtained the signature, µs. */
  readonly heldUs: number;
}

/**
 * Returns, in order, the messages by which a signature first reached a node, or undefined if the signature never
 * reached the node.
 *
 * @param since {@link heldMatrix} of the run.
 */
export function pathOf(
  signer: number,
  to: number,
  { recording }: RunIndex,
  since: Int32Array,
): readonly Hop[] | undefined {
  const hops: Hop[] = [];
  for (let at = to; at !== signer; at = hops[0]!.from) {
    const hop = hopTo(at, signer, recording, since);
    if (hop === undefined) return undefined;
    hops.unshift(hop);
  }
  return hops;
}

/** Returns the message by which a node first obtained a signature, or undefined if it never obtained the signature. */
function hopTo(to: number, signer: number, recording: Recording, since: Int32Array): Hop | undefined {
  const { kind, node, untilUs, value, length } = recording;
  const heldUs = since[to * recording.world.nodes + signer]!;
  for (let check = 0; check < length; check++) {
    if (kind[check] !== LineKind.check || node[check] !== to || untilUs[check] !== heldUs || value[check]! < 0)
      continue;
    const send = sendOf(check, signer, recording, since);
    if (send === undefined) continue;
    return { from: node[send]!, to, level: recording.level[send]!, sentUs: recording.timeUs[send]!, heldUs };
  }
  return undefined;
}

/**
 * Returns the line at which the message of a check was sent: the last message of this weight that the sender sent when
 * it already had the signature and that arrived before the check. Every message also carries its sender's own
 * signature.
 */
function sendOf(check: number, signer: number, recording: Recording, since: Int32Array): number | undefined {
  const { kind, node, peer, timeUs, untilUs, value } = recording;
  const [to, from] = [node[check]!, peer[check]!];
  const heldUs = since[from * recording.world.nodes + signer]!;
  for (let line = check - 1; line >= 0; line--) {
    if (kind[line] !== LineKind.send || node[line] !== from || peer[line] !== to) continue;
    const arrives = untilUs[line]! >= 0 && untilUs[line]! <= timeUs[check]!;
    const fits = value[line] === value[check] || (value[check] === 1 && from === signer);
    if (arrives && fits && timeUs[line]! >= heldUs) return line;
  }
  return undefined;
}
