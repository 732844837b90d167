import { LineKind, type Recording } from '@tutti/simulation';

/**
 * Which lines of a recording are about each node, so that a node's story can be told without reading those of the
 * others.
 */
export interface NodeLines {
  /** Node i's lines are [offset[i], offset[i + 1]) of `line`, in the recording's order. */
  readonly offset: Int32Array;
  /** What the node did but sending, and the sendings that arrive at it. */
  readonly line: Int32Array;
}

export function nodeLines(recording: Recording): NodeLines {
  const { length, world } = recording;
  const offset = new Int32Array(world.nodes + 1);
  for (let line = 0; line < length; line++) {
    const id = concerned(recording, line);
    if (id >= 0) offset[id + 1]!++;
  }
  for (let id = 0; id < world.nodes; id++) offset[id + 1]! += offset[id]!;
  const lines = new Int32Array(offset[world.nodes]!);
  const next = offset.slice(0, world.nodes);
  for (let line = 0; line < length; line++) {
    const id = concerned(recording, line);
    if (id >= 0) lines[next[id]!++] = line;
  }
  return { offset, line: lines };
}

/** The node that a line is about; -1 for a message that does not arrive. */
function concerned({ kind, node, peer, untilUs, world }: Recording, line: number): number {
  if (kind[line] !== LineKind.send) return node[line]!;
  const to = peer[line]!;
  return to >= 0 && untilUs[line]! >= 0 && world.alive[to] === 1 ? to : -1;
}
