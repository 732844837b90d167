import { type MemberSet, sizeBeyond } from '../memberSet.ts';

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
export interface PackedBlock<Votes extends VoteSet = VoteSet> {
  /** Votes that the block includes from each group, by group number; undefined for a group without votes. */
  readonly included: readonly (MemberSet | undefined)[];
  /** Number of distinct votes, excluding votes in earlier blocks. */
  readonly votes: number;
  /** Number of attestations in the block. */
  readonly attestations: number;
  /** Vote sets in the block. */
  readonly sets: readonly Votes[];
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

/** A vote set that a block may take from its group. */
interface PickedSet<Votes extends VoteSet> {
  readonly set: Votes;
  /** Number of picks before this one in the group. */
  readonly rank: number;
  /** Number of votes in the set that are neither in earlier blocks nor in the picks before this one. */
  readonly gain: number;
}

/**
 * Packs a block as clients do: the function takes the attestation that adds the most votes, until no attestation adds
 * any vote or the block is full.
 */
export function packBlock<Votes extends VoteSet>(
  sets: readonly Votes[],
  { groups, max, inclusion, before = [] }: BlockRules,
): PackedBlock<Votes> {
  const ofGroup: Votes[][] = Array.from({ length: groups }, () => []);
  for (const set of sets) ofGroup[set.group]!.push(set);
  let picks = ofGroup.flatMap((own, group) => picksOf(own, before[group], max));
  if (inclusion === 'one-aggregate') {
    // Within a group, each pick adds no more than the previous one. Sorting by gain therefore keeps the order within
    // each group.
    picks.sort((a, b) => b.gain - a.gain || a.set.group - b.set.group || a.rank - b.rank);
    picks = picks.slice(0, max);
  }
  const included: (MemberSet | undefined)[] = Array.from({ length: groups });
  for (const { group, bits } of picks.map(({ set }) => set)) {
    const votes = included[group] ?? new Int32Array(bits.length);
    for (let word = 0; word < votes.length; word++) votes[word]! |= bits[word]! & ~(before[group]?.[word] ?? 0);
    included[group] = votes;
  }
  return {
    included,
    votes: picks.reduce((votes, { gain }) => votes + gain, 0),
    attestations:
      inclusion === 'one-aggregate' ? picks.length : picks.reduce((all, { rank }) => Math.max(all, rank + 1), 0),
    sets: picks.map(({ set }) => set),
  };
}

/** Returns up to `max` vote sets of one group, each of which adds the most votes to `before` and the previous sets. */
function picksOf<Votes extends VoteSet>(
  sets: readonly Votes[],
  before: MemberSet | undefined,
  max: number,
): PickedSet<Votes>[] {
  const left = [...sets];
  const covered = before?.slice() ?? new Int32Array(sets[0]?.bits.length ?? 0);
  const picks: PickedSet<Votes>[] = [];
  while (picks.length < max) {
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
    const [set] = left.splice(best, 1) as [Votes];
    for (let word = 0; word < covered.length; word++) covered[word]! |= set.bits[word]!;
    picks.push({ set, rank: picks.length, gain });
  }
  return picks;
}
