import { emptySet, type MemberSet, sizeBeyond } from './memberSet.ts';

/** Which votes of a slot a block's attestation can hold together. */
export type Inclusion =
  /** One aggregate of one subcommittee, or one collection. */
  | 'one-aggregate'
  /** One aggregate of every subcommittee (EIP-7549). */
  | 'one-of-each';

/** Votes that a block can hold together: an aggregate, or a collection. */
export interface VoteSet {
  /** The subcommittee or committee, by number. */
  readonly group: number;
  readonly weight: number;
  /** Of the group's members. */
  readonly bits: MemberSet;
}

/** What a block holds of one slot's votes. */
export interface PackedBlock<Set extends VoteSet = VoteSet> {
  /** By group; undefined where it has none. */
  readonly included: readonly (MemberSet | undefined)[];
  readonly votes: number;
  /** Number of attestations that the block includes. */
  readonly attestations: number;
  /** The sets that are in the block. */
  readonly taken: readonly Set[];
}

/**
 * Packs a block as clients do: the attestation that adds most comes first, until none adds anything or the block is
 * full.
 *
 * @param groups number of subcommittees, or of committees if they have collectors. @param most maximum number of
 * attestations.
 * @param before votes of the same slot that earlier blocks contain.
 */
export function packBlock<Set extends VoteSet>(
  sets: readonly Set[],
  groups: number,
  most: number,
  inclusion: Inclusion,
  before: readonly (MemberSet | undefined)[] = [],
): PackedBlock<Set> {
  const ofGroup: Set[][] = Array.from({ length: groups }, () => []);
  for (const set of sets) ofGroup[set.group]!.push(set);
  const picks: { readonly group: number; readonly rank: number; readonly gain: number; readonly set: Set }[] = [];
  ofGroup.forEach((of, group) => {
    const covered = before[group]?.slice() ?? emptySet(32 * (of[0]?.bits.length ?? 0));
    const left = [...of];
    for (let rank = 0; rank < most && left.length > 0; rank++) {
      let best = -1;
      let gain = 0;
      left.forEach((set, index) => {
        // No set adds more than its weight.
        if (set.weight <= gain) return;
        const adds = sizeBeyond(set.bits, covered);
        if (adds <= gain) return;
        best = index;
        gain = adds;
      });
      if (best === -1) break;
      const [set] = left.splice(best, 1);
      for (let word = 0; word < covered.length; word++) covered[word]! |= set!.bits[word]!;
      picks.push({ group, rank, gain, set: set! });
    }
  });
  // Within a group, each pick adds no more than the one before it. So the greatest gains over all groups keep each
  // group's order.
  if (inclusion === 'one-aggregate') picks.sort((a, b) => b.gain - a.gain || a.group - b.group || a.rank - b.rank);
  const taken = inclusion === 'one-aggregate' ? picks.slice(0, most) : picks;
  const included: (MemberSet | undefined)[] = Array.from({ length: groups });
  let votes = 0;
  for (const { group, gain, set } of taken) {
    const of = included[group] ?? emptySet(32 * set.bits.length);
    for (let word = 0; word < of.length; word++) of[word]! |= set.bits[word]! & ~(before[group]?.[word] ?? 0);
    included[group] = of;
    votes += gain;
  }
  const attestations =
    inclusion === 'one-aggregate' ? taken.length : taken.reduce((all, { rank }) => Math.max(all, rank + 1), 0);
  return { included, votes, attestations, taken: taken.map(({ set }) => set) };
}
