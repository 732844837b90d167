import { Tree } from '@tutti/core';
import { type Fault, NodeRole, type Recording } from '@tutti/simulation';

/**
 * How a message looks, on its way and over time: it carries part of its sender's side or all of it, or whoever sent it
 * lies. The numbers are places in lists.
 */
export const faces = ['part', 'all', 'lie'] as const;
export type Face = (typeof faces)[number];

const trees = new WeakMap<Recording['world'], Tree>();

/** The face of a `send` line's message. */
export function faceOf(recording: Recording, line: number): Face {
  if (isLie(recording, line)) return 'lie';
  return isWholeSide(recording, line) ? 'all' : 'part';
}

/** Whether there are nodes in a run that lie, from the beginning or later. */
export function hasLies({ scenario, world }: Recording): boolean {
  return world.alive.includes(NodeRole.byzantine) || lyingOf(scenario).length > 0;
}

/** From a Byzantine node, or from one that a fault has lie by then. */
function isLie({ scenario, world, node, timeUs }: Recording, line: number): boolean {
  const id = node[line]!;
  if (world.alive[id] === NodeRole.byzantine) return true;
  const atMs = timeUs[line]! / 1000;
  return lyingOf(scenario).some(({ from, atMs: since = 0, forMs = Number.POSITIVE_INFINITY }) => {
    return from.includes(id) && atMs >= since && atMs < since + forMs;
  });
}

type Lying = Extract<Fault, { kind: 'corruption' }> & { readonly from: readonly number[] };

/** The faults that alter all that some nodes send where nothing is authenticated: the receivers have to find it out. */
function lyingOf({ faults, authenticated }: Recording['scenario']): readonly Lying[] {
  return authenticated ? [] : faults.filter(isLying);
}

function isLying(fault: Fault): fault is Lying {
  return fault.kind === 'corruption' && fault.share === 1 && fault.to === undefined && Array.isArray(fault.from);
}

/**
 * Does the message of a `send` line carry all that its sender's side has? One contribution alone, which is all of level
 * 0, is no news.
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
