import type { AggregationScheme, Contribution } from '@tutti/core';
import { addVote, countNewVotes, emptyVotes, hasVote, joinVotes, type VoteSet } from '../rules.ts';
import { type LeanProof, type LeanSizes, makeProof, type ProofMaking } from '../world.ts';

/**
 * A slot's votes and proofs as contributions of core's scheme, identified by handles. The order is: votes for the
 * slot's message, votes for a second message, then proofs in the order in which they were begun. Nothing is freed
 * before the slot ends.
 *
 * Any proofs of one message may be aggregated, even if they overlap. The strategy decides whether that adds votes.
 */
export class LeanContributions
  implements Pick<AggregationScheme, 'weight' | 'contains' | 'aggregatable' | 'newWeight'>
{
  readonly proofs: LeanProof[] = [];
  readonly #sizes: LeanSizes;

  constructor(sizes: LeanSizes) {
    this.#sizes = sizes;
  }

  get #firstProof(): number {
    return 1 + 2 * this.#sizes.validators;
  }

  /** Returns the votes of a set as individual contributions. */
  individuals(votes: VoteSet, isSecond: boolean): Contribution[] {
    const { validators } = this.#sizes;
    const found: Contribution[] = [];
    for (let validator = 0; validator < validators; validator++) {
      if (hasVote(votes, validator)) found.push(1 + validator + (isSecond ? validators : 0));
    }
    return found;
  }

  handle({ id }: LeanProof): Contribution {
    return this.#firstProof + id;
  }

  proof(contribution: Contribution): LeanProof {
    return this.proofs[contribution - this.#firstProof]!;
  }

  /** Returns the validators in any of the contributions. */
  union(contributions: readonly Contribution[]): VoteSet {
    const votes = emptyVotes(this.#sizes.validators);
    for (const one of contributions) {
      if (one >= this.#firstProof) joinVotes(votes, this.proof(one).votes);
      else addVote(votes, (one - 1) % this.#sizes.validators);
    }
    return votes;
  }

  isSecond(contribution: Contribution): boolean {
    if (contribution >= this.#firstProof) return this.proof(contribution).isSecond;
    return contribution > this.#sizes.validators;
  }

  add(making: Omit<ProofMaking, 'id'>): LeanProof {
    const proof = makeProof(this.#sizes, { ...making, id: this.proofs.length });
    this.proofs.push(proof);
    return proof;
  }

  weight(contribution: Contribution): number {
    return contribution >= this.#firstProof ? this.proof(contribution).size : Math.min(1, contribution);
  }

  contains(contribution: Contribution, validator: number): boolean {
    return hasVote(this.union([contribution]), validator);
  }

  aggregatable(a: Contribution, b: Contribution): boolean {
    return this.isSecond(a) === this.isSecond(b);
  }

  newWeight(a: Contribution, over: Contribution): number {
    return countNewVotes(this.union([a]), this.union([over]));
  }
}
