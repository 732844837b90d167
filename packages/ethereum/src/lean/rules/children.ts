import { countNewVotes, emptyVotes, joinVotes, type VoteSet } from './voteSet.ts';

/** A proof as the rules see it: whom it covers, and how many bytes. */
export interface Proof {
  readonly votes: VoteSet;
  readonly bytes: number;
}

export interface ChildrenRule {
  /** Children that a proof may have: 2 in ethlambda (MAX_AGGREGATION_CHILDREN), 16 by the prover (MAX_RECURSIONS). */
  readonly most: number;
  /** Only validators in here count as new; undefined for all. A chosen child covers all of its own nevertheless. */
  readonly within?: VoteSet | undefined;
  /** What is covered before the first is chosen. */
  readonly covered?: VoteSet | undefined;
  /** Validators that each child must add, by default 1. */
  readonly leastGain?: number | undefined;
  /**
   * Of proofs that add equally much, which one is taken: the largest encoding (leanSpec), or the last or the first that
   * came.
   */
  readonly ties: 'largest' | 'last' | 'first';
}

/**
 * The proofs to merge: always the one that adds most validators, until none adds any or there are enough. One pool is
 * done with before the next is looked at, so that fresh proofs come before those that are known already.
 *
 * leanSpec, forks/lstar/aggregation.py: a greedy cover over the pending pool, then over the known one, ties to the
 * largest encoding, no cap. ethlambda, aggregation.rs, resolve_job: two children at most.
 *
 * @param pools each in the order of arrival. @returns indices as [pool, place].
 */
export function chooseChildren(pools: readonly (readonly Proof[])[], rule: ChildrenRule): [number, number][] {
  const chosen: [number, number][] = [];
  const first = pools.find((pool) => pool.length > 0)?.[0];
  if (first === undefined) return chosen;
  const covered = rule.covered?.slice() ?? emptyVotes(32 * first.votes.length);
  pools.forEach((pool, at) => {
    const gains = pool.map(({ votes }) => countNewVotes(votes, covered, rule.within));
    while (chosen.length < rule.most) {
      const best = bestOf(pool, gains, rule);
      if (best === -1) break;
      chosen.push([at, best]);
      joinVotes(covered, pool[best]!.votes);
      for (let place = 0; place < pool.length; place++) {
        if (gains[place]! > 0) gains[place] = countNewVotes(pool[place]!.votes, covered, rule.within);
      }
    }
  });
  return chosen;
}

/** @returns the place of the proof that adds most, -1 where none adds any. */
function bestOf(pool: readonly Proof[], gains: readonly number[], { ties, leastGain = 1 }: ChildrenRule): number {
  let best = -1;
  for (let place = 0; place < pool.length; place++) {
    const gain = gains[place]!;
    if (gain < leastGain || (best !== -1 && gain < gains[best]!)) continue;
    if (best !== -1 && gain === gains[best]!) {
      if (ties === 'first' || (ties === 'largest' && pool[place]!.bytes <= pool[best]!.bytes)) continue;
    }
    best = place;
  }
  return best;
}

/** Whether a job is worth a proof: without a raw vote it needs two children, and one raw vote alone is not proved. */
export function isViable(rawVotes: number, children: number): boolean {
  if (rawVotes === 0) return children >= 2;
  return children > 0 || rawVotes > 1;
}
