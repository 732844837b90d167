import { countVotes, emptyVotes, type VoteSet } from './voteSet.ts';

/**
 * Windows of subnets, as ethlambda has them since September 2026 (its #613, aggregation.rs): an aggregator with the duty
 * subnet d merges within {d, d+1, .., d+w-1}, with w twice as wide as the largest proof that it has of its own subnet.
 * These are Handel's levels, without owners that all agree on. Validator v is in the subnet v mod C.
 */
export interface Window {
  /** Subnets in the window. */
  readonly width: number;
  readonly first: number;
}

/** By subnet, whether a set has a validator of it: its reach is their number. */
function subnetsOf(votes: VoteSet, validators: number, subnets: number): Uint8Array {
  const touched = new Uint8Array(subnets);
  for (let validator = 0; validator < validators; validator++) {
    if ((votes[validator >>> 5]! >>> (validator & 31)) & 1) touched[validator % subnets] = 1;
  }
  return touched;
}

/** The same as {@link subnetsOf}, with what a caller may keep for each proof. */
export interface ReachingProof {
  readonly votes: VoteSet;
  readonly size: number;
  readonly subnets: Uint8Array;
  readonly reach: number;
}

export function reachingProof(votes: VoteSet, validators: number, subnets: number): ReachingProof {
  const touched = subnetsOf(votes, validators, subnets);
  return { votes, size: countVotes(votes), subnets: touched, reach: touched.reduce((sum, one) => sum + one, 0) };
}

/**
 * Rules 1 and 2: of all proofs that touch d, the anchor is the one with most validators, ties to the larger reach; the
 * window is twice as wide as the anchor reaches, 1 without an anchor.
 */
export function windowOf(proofs: readonly ReachingProof[], duty: number, subnets: number): Window {
  let anchor: ReachingProof | undefined;
  for (const proof of proofs) {
    if (proof.subnets[duty] === 0) continue;
    if (
      anchor === undefined ||
      proof.size > anchor.size ||
      (proof.size === anchor.size && proof.reach > anchor.reach)
    ) {
      anchor = proof;
    }
  }
  return { first: duty, width: anchor === undefined ? 1 : Math.min(2 * anchor.reach, subnets) };
}

/** Rule 5, the flag `--skip-redundant-aggregation`: who owns a width in a slot. */
export function ownsWidth(duty: number, width: number, slot: number): boolean {
  return duty % width === slot % width;
}

/** Rule 3: the validators of a window's subnets. */
export function votesWithin({ first, width }: Window, validators: number, subnets: number): VoteSet {
  const set = emptyVotes(validators);
  for (let validator = 0; validator < validators; validator++) {
    if (((validator % subnets) - first + subnets) % subnets < width) set[validator >>> 5]! |= 1 << (validator & 31);
  }
  return set;
}
