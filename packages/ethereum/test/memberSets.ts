import { addMember, emptySet, hasMember, type MemberSet } from '@tutti/core/horn';

/** Returns the set of these members, out of `size` possible ones. */
export function setOf(size: number, members: Iterable<number>): MemberSet {
  const set = emptySet(size);
  for (const member of members) addMember(set, member);
  return set;
}

/** Returns the members of a set in ascending order. */
export function membersOf(set: MemberSet): number[] {
  return Array.from({ length: 32 * set.length }, (_, member) => member).filter((member) => hasMember(set, member));
}
