import { popcount } from '../contribution/popcount.ts';

/** A set of a subcommittee's members: member m is bit m & 31 of word m >> 5. */
export type MemberSet = Int32Array;

export function emptySet(members: number): MemberSet {
  return new Int32Array((members + 31) >>> 5);
}

export function addMember(set: MemberSet, member: number): void {
  set[member >>> 5]! |= 1 << (member & 31);
}

export function hasMember(set: MemberSet, member: number): boolean {
  return ((set[member >>> 5]! >>> (member & 31)) & 1) === 1;
}

export function sizeOf(set: MemberSet): number {
  return set.reduce((size, word) => size + popcount(word), 0);
}

/** Adds a set's members to another, each so many further on. */
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

/** Members of `set` that are not in `other`. */
export function sizeBeyond(set: MemberSet, other: MemberSet): number {
  let size = 0;
  for (let word = 0; word < set.length; word++) size += popcount(set[word]! & ~other[word]!);
  return size;
}

export function union(sets: readonly MemberSet[], members: number): MemberSet {
  const all = emptySet(members);
  for (const set of sets) for (let word = 0; word < all.length; word++) all[word]! |= set[word]!;
  return all;
}
