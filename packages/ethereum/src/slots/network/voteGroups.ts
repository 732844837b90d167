import { shuffle } from '@tutti/core';
import { addMember, emptySet, type MemberSet, type SlotClock } from '@tutti/core/horn';
import { partOf } from '@tutti/core/input';
import type { NetworkScenario } from '../../horn/network/scenario.ts';
import type { VotingSystem } from '../../horn/network/systems.ts';
import type { VoteGroup } from './roles.ts';

/**
 * Returns the index of Eve's attack in which each node takes part, -1 for none. Eve runs nodes of her own. Nodes are
 * drawn one after another, and each becomes hers if its validators fit into the rest of her share.
 */
export function eveNodes({ attacks, nodes, seed }: NetworkScenario, validators: Int32Array): Int8Array {
  const attackOf = new Int8Array(nodes).fill(-1);
  if (attacks.length === 0) return attackOf;
  const all = validators.reduce((sum, one) => sum + one, 0);
  const order = shuffle(nodes, seed, 'nodes of Eve');
  attacks.forEach(({ share }, index) => {
    let left = partOf(all, share);
    for (const node of order) {
      const of = validators[node]!;
      if (of === 0 || of > left || attackOf[node] !== -1) continue;
      attackOf[node] = index;
      left -= of;
    }
  });
  return attackOf;
}

/** A group of places, with the validators elected to aggregate its votes. */
export interface Elected {
  readonly start: number;
  readonly members: number;
  readonly aggregators: readonly number[];
}

/** Returns committees as groups that elected collectors aggregate as a whole. */
export function committeesOf(
  system: VotingSystem,
  subcommittees: readonly Elected[],
  collectors: readonly (readonly number[])[],
): Elected[] {
  return collectors.map((aggregators, committee) => {
    const first = committee * system.subcommittees;
    const { start } = subcommittees[first]!;
    const last = subcommittees[first + system.subcommittees - 1]!;
    return { start, members: last.start + last.members - start, aggregators };
  });
}

/** Returns a group's votes on its subnet, and the honest votes among them. */
export function votesIn(
  { start, members }: Elected,
  casts: Uint8Array,
  attack: Int8Array,
): { readonly casts: MemberSet; readonly honest: MemberSet } {
  const all = emptySet(members);
  const honest = emptySet(members);
  for (let member = 0; member < members; member++) {
    if (casts[start + member] === 0) continue;
    addMember(all, member);
    if (attack[start + member] === -1) addMember(honest, member);
  }
  return { casts: all, honest };
}

/** Returns the number of votes that each node casts. */
export function votesByNode(casts: Uint8Array, nodeAt: Int32Array, nodes: number): Int32Array {
  const votesOf = new Int32Array(nodes);
  casts.forEach((one, place) => {
    votesOf[nodeAt[place]!]! += one;
  });
  return votesOf;
}

/** Returns a function that finds the group of a place. Groups are consecutive and have about the same size. */
export function groupsByPlace(groups: readonly Elected[]): (place: number) => VoteGroup {
  const last = groups.at(-1)!;
  const voters = last.start + last.members;
  return (place) => {
    let index = Math.floor((place * groups.length) / voters);
    while (place < groups[index]!.start) index--;
    while (place >= groups[index]!.start + groups[index]!.members) index++;
    return { index, start: groups[index]!.start, members: groups[index]!.members };
  };
}

/** Returns the times at which an honest validator acts. */
export function clockOf({ attestMs, aggregateMs, collectMs, blockMs }: VotingSystem): SlotClock {
  return {
    attestUs: 1000 * attestMs,
    aggregateUs: 1000 * aggregateMs,
    collectUs: 1000 * collectMs,
    endUs: 1000 * blockMs,
  };
}
