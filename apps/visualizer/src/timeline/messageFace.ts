import { Tree } from '@tutti/core';
import { type Fault, NodeRole, type Recording } from '@tutti/simulation';

/**
 * Faces (looks) of a message: it carries a part of its sender's side or all of it, or it comes from a Byzantine node.
 * Faces are stored as indices of this list.
 */
export const faces = ['part', 'all', 'lie'] as const;
export type Face = (typeof faces)[number];

const trees = new WeakMap<Recording['world'], Tree>();

/** Returns the face of a `send` line's message. */
export function faceOf(recording: Recording, line: number): Face {
  if (isInvalid(recording, line)) return 'lie';
  return isWholeSide(recording, line) ? 'all' : 'part';
}

/** Returns whether a run has Byzantine nodes, from the beginning or later. */
export function hasInvalid({ scenario, world }: Recording): boolean {
  return world.alive.includes(NodeRole.byzantine) || lyingOf(scenario).length > 0;
}

/** Returns whether the sender was Byzantine at that time, by its role or by a fault. */
function isInvalid({ scenario, world, node, timeUs }: Recording, line: number): boolean {
  const id = node[line]!;
  if (world.alive[id] === NodeRole.byzantine) return true;
  const atMs = timeUs[line]! / 1000;
  return lyingOf(scenario).some(({ from, atMs: since = 0, forMs = Number.POSITIVE_INFINITY }) => {
    return from.includes(id) && atMs >= since && atMs < since + forMs;
  });
}

type Lying = Extract<Fault, { kind: 'corruption' }> & { readonly from: readonly number[] };

/**
 * Returns the faults that alter all messages of some nodes without authenticated channels, so that receivers have to
 * detect them.
 */
function lyingOf({ faults, authenticated }: Recording['scenario']): readonly Lying[] {
  return authenticated ? [] : faults.filter(isLying);
}

function isLying(fault: Fault): fault is Lying {
  return fault.kind === 'corruption' && fault.share === 1 && fault.to === undefined && Array.isArray(fault.from);
}

/**
 * Returns whether the message of a `send` line carries all of its sender's side. The single contribution of level 0
 * does not count.
 */
function isWholeSide({ scenario, world, node, level, value }: Recording, line: number): boolean {
  if (value[line]! <= 1 || level[line]! === 0) return false;
  let tree = trees.get(world);
  if (tree === undefined) {
    tree = new Tree(world.nodes, scenario.tree, scenario.branching);
    trees.set(world, tree);
  }
  return value[line] === tree.size(tree.ownBlock(node[line]!, level[line]!));
}
