import { shuffle } from '@tutti/core';
import type { MemberSet, SlotClock } from '@tutti/core/horn';
import { partOf } from '@tutti/core/internal';
import { addMember, emptySet } from '@tutti/core/internal/horn';
import type { NetworkScenario } from '../../horn/network/scenario.ts';
import type { VotingSystem } from '../../horn/network/systems.ts';
import type { VoteGroup } from './roles.ts';

/**
 * Which of Eve's attacks each node is part of, -1 for none. She runs nodes of her own: they are drawn one after another,
 * and each is hers that fits into what is left of her share of the validators.
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

/** A group of places and who is elected to aggregate its votes. */
export interface Elected {
  readonly start: number;
  readonly members: number;
  readonly aggregators: readonly number[];
}

/** Committees as groups that are aggregated as a whole, by those who are elected collectors. */
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

/** A group's votes on its subnet, and of them those that are not Eve's. */
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

/** How many votes each node casts. */
export function votesByNode(casts: Uint8Array, nodeAt: Int32Array, nodes: number): Int32Array {
  const votesOf = new Int32Array(nodes);
  casts.forEach((one, place) => {
    votesOf[nodeAt[place]!]! += one;
  });
  return votesOf;
}

/** Finds the group of a place: they follow one another and are about as large. */
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

/** When an honest validator acts. */
export function clockOf({ attestMs, aggregateMs, collectMs, blockMs }: VotingSystem): SlotClock {
  return {
    attestUs: 1000 * attestMs,
    aggregateUs: 1000 * aggregateMs,
    collectUs: 1000 * collectMs,
    endUs: 1000 * blockMs,
  };
}
