import { popcount } from './bytes.ts';

/**
 * Set of members, such as the nodes of a network or the validators of a subcommittee: member m is bit m & 31 of word
 * m >> 5.
 */
export type MemberSet = Int32Array;

/** Returns an empty set, which can contain members 0 to `members` - 1. */
export function emptySet(members: number): MemberSet {
  return new Int32Array((members + 31) >>> 5);
}

/** Adds a member to a set. */
export function addMember(set: MemberSet, member: number): void {
  set[member >>> 5]! |= 1 << (member & 31);
}

/** Removes a member from a set. */
export function removeMember(set: MemberSet, member: number): void {
  set[member >>> 5]! &= ~(1 << (member & 31));
}

/** Returns whether a set contains a member. */
export function hasMember(set: MemberSet, member: number): boolean {
  return ((set[member >>> 5]! >>> (member & 31)) & 1) === 1;
}

/** Returns the number of members in a set. */
export function sizeOf(set: MemberSet): number {
  let size = 0;
  for (const word of set) size += popcount(word);
  return size;
}

/** Adds the members of one set to another set, with each member's number shifted by an offset. */
export function shiftInto(all: MemberSet, set: MemberSet, offset: number): void {
  const words = offset >>> 5;
  const bits = offset & 31;
  for (let word = 0; word < set.length; word++) {
    const of = set[word]!;
    if (of === 0) continue;
    all[words + word]! |= of << bits;
    if (bits !== 0 && of >>> (32 - bits) !== 0) all[words + word + 1]! |= of >>> (32 - bits);
  }
}

/** Returns the number of members of `set` that are not in `other`. */
export function sizeBeyond(set: MemberSet, other: MemberSet): number {
  let size = 0;
  for (let word = 0; word < set.length; word++) size += popcount(set[word]! & ~other[word]!);
  return size;
}

/** Returns the union of sets that can contain members 0 to `members` - 1. */
export function union(sets: readonly MemberSet[], members: number): MemberSet {
  const all = emptySet(members);
  for (const set of sets) for (let word = 0; word < all.length; word++) all[word]! |= set[word]!;
  return all;
}
