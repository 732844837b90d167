import { addMember, emptySet, hasMember, type MemberSet, sizeOf } from '../../../horn/play/memberSet.ts';
import type { Subcommittee } from './networkWorld.ts';
import type { PublishedSet } from './playedSlot.ts';

/** A collection: one aggregate of each subcommittee side by side, -1 for none (Horn: "Collectors"). */
export function join(
  subcommittees: readonly Subcommittee[],
  first: number,
  count: number,
  chosen: Int32Array,
  aggregates: readonly PublishedSet[],
): { readonly bits: MemberSet; readonly weight: number; readonly members: number } {
  const start = subcommittees[first]!.start;
  const last = subcommittees[first + count - 1]!;
  const members = last.start + last.members - start;
  const bits = emptySet(members);
  chosen.forEach((number, index) => {
    if (number === -1) return;
    const { start: from, members: of } = subcommittees[first + index]!;
    const set = aggregates[number]!.bits;
    const offset = from - start;
    if ((offset & 31) === 0) {
      for (let word = 0; word < set.length; word++) bits[(offset >>> 5) + word]! |= set[word]!;
      return;
    }
    for (let member = 0; member < of; member++) if (hasMember(set, member)) addMember(bits, offset + member);
  });
  return { bits, weight: sizeOf(bits), members };
}
