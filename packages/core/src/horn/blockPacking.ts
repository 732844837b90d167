import { emptySet, type MemberSet, sizeBeyond } from './rules.ts';

/** Way in which a block may combine a slot's votes. */
export type Inclusion =
  /** Single attestations: each attestation is one aggregate of one subcommittee, or one collection. */
  | 'one-aggregate'
  /** One aggregate of every subcommittee per attestation (EIP-7549). */
  | 'one-of-each';

/** Votes under one signature that a block can include: an aggregate or a collection. */
export interface VoteSet {
  /** Number of the subcommittee or committee. */
  readonly group: number;
  /** Number of votes. */
  readonly weight: number;
  /** Voters, as bits over the members of the subcommittee or committee. */
  readonly bits: MemberSet;
}

/** Votes of one slot that a block contains. */
export interface PackedBlock<Set extends VoteSet = VoteSet> {
  /** Votes that the block includes from each group, by group number; undefined for a group without votes. */
  readonly included: readonly (MemberSet | undefined)[];
  /** Number of distinct votes, excluding votes in earlier blocks. */
  readonly votes: number;
  /** Number of attestations in the block. */
  readonly attestations: number;
  /** Vote sets in the block. */
  readonly taken: readonly Set[];
}

/** Limits of a block, and votes that the block need not contain. */
export interface BlockRules {
  /** Number of subcommittees; with collectors, number of committees. */
  readonly groups: number;
  /** Maximum number of attestations. */
  readonly max: number;
  readonly inclusion: Inclusion;
  /** Votes of the same slot that earlier blocks contain, by group. Default: none. */
  readonly before?: readonly (MemberSet | undefined)[];
}

/**
 * Packs a block as clients do: the function takes the attestation that adds the most votes, until no attestation adds
 * any vote or the block is full.
 */
export function packBlock<Set extends VoteSet>(
  sets: readonly Set[],
  { groups, max, inclusion, before = [] }: BlockRules,
): PackedBlock<Set> {
  const ofGroup: Set[][] = Array.from({ length: groups }, () => []);
  for (const set of sets) ofGroup[set.group]!.push(set);
  const picks: { readonly group: number; readonly rank: number; readonly gain: number; readonly set: Set }[] = [];
  ofGroup.forEach((own, group) => {
    const covered = before[group]?.slice() ?? emptySet(32 * (own[0]?.bits.length ?? 0));
    const left = [...own];
    for (let rank = 0; rank < max && left.length > 0; rank++) {
      let best = -1;
      let gain = 0;
      left.forEach((set, index) => {
        // A set of votes adds at most as many votes as its weight.
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
  // Within a group, each pick adds no more than the previous one. Sorting by gain therefore keeps the order within each
  // group.
  if (inclusion === 'one-aggregate') picks.sort((a, b) => b.gain - a.gain || a.group - b.group || a.rank - b.rank);
  const taken = inclusion === 'one-aggregate' ? picks.slice(0, max) : picks;
  const included: (MemberSet | undefined)[] = Array.from({ length: groups });
  let votes = 0;
  for (const { group, gain, set } of taken) {
    const votesOf = included[group] ?? emptySet(32 * set.bits.length);
    for (let word = 0; word < votesOf.length; word++) votesOf[word]! |= set.bits[word]! & ~(before[group]?.[word] ?? 0);
    included[group] = votesOf;
    votes += gain;
  }
  const attestations =
    inclusion === 'one-aggregate' ? taken.length : taken.reduce((all, { rank }) => Math.max(all, rank + 1), 0);
  return { included, votes, attestations, taken: taken.map(({ set }) => set) };
}
