import { popcount } from '@tutti/core/internal';

/** A set of validators: validator v is bit v mod 32 of word v / 32. Sets of one world have equally many words. */
export type VoteSet = Uint32Array;

export function emptyVotes(validators: number): VoteSet {
  return new Uint32Array((validators + 31) >>> 5);
}

export function addVote(set: VoteSet, validator: number): void {
  set[validator >>> 5]! |= 1 << (validator & 31);
}

export function hasVote(set: VoteSet, validator: number): boolean {
  return ((set[validator >>> 5]! >>> (validator & 31)) & 1) === 1;
}

export function countVotes(set: VoteSet): number {
  let count = 0;
  for (let word = 0; word < set.length; word++) count += popcount(set[word]!);
  return count;
}

/** Validators of `set` that `over` lacks; of those in `within` alone, where it is given. */
export function countNewVotes(set: VoteSet, over: VoteSet, within?: VoteSet): number {
  let count = 0;
  if (within === undefined) for (let word = 0; word < set.length; word++) count += popcount(set[word]! & ~over[word]!);
  else for (let word = 0; word < set.length; word++) count += popcount(set[word]! & ~over[word]! & within[word]!);
  return count;
}

/** Adds what is in `other`. */
export function joinVotes(set: VoteSet, other: VoteSet): void {
  for (let word = 0; word < set.length; word++) set[word]! |= other[word]!;
}

/** Takes out what is in `other`. */
export function dropVotes(set: VoteSet, other: VoteSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= ~other[word]!;
}
