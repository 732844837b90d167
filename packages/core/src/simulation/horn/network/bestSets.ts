import { emptySet, type MemberSet, sizeOf } from '../../../horn/play/memberSet.ts';
import { joinBest } from '../../../horn/rules.ts';
import type { Subcommittee } from './networkWorld.ts';
import type { PublishedSet } from './playedSlot.ts';

/** A collection of a committee, whose subcommittees are these from the first on. */
export function join(
  subcommittees: readonly Subcommittee[],
  first: number,
  best: Int32Array,
  aggregates: readonly PublishedSet[],
): { readonly bits: MemberSet; readonly weight: number; readonly members: number } {
  const start = subcommittees[first]!.start;
  const last = subcommittees[first + best.length - 1]!;
  const members = last.start + last.members - start;
  const bits = joinBest(
    best,
    emptySet(members),
    (index) => subcommittees[first + index]!.start - start,
    (aggregate) => aggregates[aggregate]!.bits,
  );
  return { bits, weight: sizeOf(bits), members };
}
