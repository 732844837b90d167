import { mix32, popcount } from '@tutti/core/packed';

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

/**
 * Halving levels for proofs: position = subnet x replicas + replica, so that every half of a level is a union of whole
 * subnets, and each half has an order of owners that all of its members know. Level 0 is one subnet; a half of level l
 * has branching^l subnets, the last one what is left.
 */
export interface Half {
  readonly level: number;
  /** From 0, in the order of the subnets. */
  readonly index: number;
}

/** Subnets [from, to) of a half. */
export function subnetsOfHalf({ level, index }: Half, subnets: number, branching: number): [number, number] {
  const width = branching ** level;
  return [index * width, Math.min(subnets, (index + 1) * width)];
}

/** Levels above the leaves: the half of that level is everything. */
export function topLevel(subnets: number, branching: number): number {
  let level = 0;
  while (branching ** level < subnets) level++;
  return level;
}

/** The halves of the level below that a half is made of, without those that no subnet is in. */
export function partsOfHalf({ level, index }: Half, subnets: number, branching: number): Half[] {
  const parts: Half[] = [];
  for (let part = index * branching; part < (index + 1) * branching; part++) {
    if (part * branching ** (level - 1) < subnets) parts.push({ level: level - 1, index: part });
  }
  return parts;
}

/**
 * The turning owners of a half: its positions in an order that changes with the slot. The first merges at once; the
 * k-th begins only when k turns have passed and no earlier one's proof of the half has come. An owner exists while any
 * position of the half lives, and nothing but the order depends on the slot, so no half is ever misaligned.
 *
 * @param positions of the half's members.
 */
export function ownersOf(half: Half, positions: readonly number[], slot: number): number[] {
  const key = (position: number) => mix32(mix32(mix32(mix32(slot) ^ half.level) ^ half.index) ^ position) >>> 0;
  return [...positions].sort((a, b) => key(a) - key(b) || a - b);
}

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
  /** What is covered before the first is chosen: ethlambda's children come beside the raw votes. */
  readonly covered?: VoteSet | undefined;
  /** Validators that each child must add, by default 1. */
  readonly minGain?: number | undefined;
  /**
   * Of proofs that add equally much, which one is taken: the largest encoding (leanSpec; see {@link compareEncodings}), or
   * the last or the first that came.
   */
  readonly ties: 'encoding' | 'last' | 'first';
}

/**
 * The proofs to merge: always the one that adds most validators, until none adds any or there are enough. One pool is
 * done with before the next is looked at, so that fresh proofs come before those that are known already.
 *
 * leanSpec@43246bd6, forks/lstar/aggregation.py, select_proofs_for_coverage: a greedy cover over the pending pool, then
 * over the known one, ties to the largest encoding, no cap. ethlambda, aggregation.rs, resolve_job: two children at most.
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
function bestOf(pool: readonly Proof[], gains: readonly number[], { ties, minGain = 1 }: ChildrenRule): number {
  let best = -1;
  for (let place = 0; place < pool.length; place++) {
    const gain = gains[place]!;
    if (gain < minGain || (best !== -1 && gain < gains[best]!)) continue;
    if (best !== -1 && gain === gains[best]!) {
      if (ties === 'first') continue;
      if (ties === 'encoding' && compareEncodings(pool[place]!.votes, pool[best]!.votes) <= 0) continue;
    }
    best = place;
  }
  return best;
}

/**
 * Compares proofs as leanSpec does: by the bytes of their encodings, which begin with two offsets, little end first, of
 * which the second is 8 and the bytes of the participants; then come these, a bit list with a one behind its last bit.
 * The proofs themselves follow, and are not compared here: of equal participants neither is larger.
 *
 * @returns over 0 if the first is larger.
 */
export function compareEncodings(a: VoteSet, b: VoteSet): number {
  const [one, other] = [bitListOf(a), bitListOf(b)];
  const offsets = [8 + one.length, 8 + other.length] as const;
  for (let shift = 0; shift < 32; shift += 8) {
    const difference = ((offsets[0] >>> shift) & 255) - ((offsets[1] >>> shift) & 255);
    if (difference !== 0) return difference;
  }
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return one[at]! - other[at]!;
  return 0;
}

/** As SSZ has it: as long as its highest voter asks for, and a one as the end. */
function bitListOf(votes: VoteSet): Uint8Array {
  let last = votes.length - 1;
  while (last > 0 && votes[last] === 0) last--;
  const length = 32 * (last + 1) - Math.clz32(votes[last] ?? 0);
  const bytes = new Uint8Array((length >>> 3) + 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (votes[at >>> 2] ?? 0) >>> (8 * (at & 3));
  bytes[length >>> 3]! |= 1 << (length & 7);
  return bytes;
}

/**
 * Whether a job is worth a proof: without a raw vote it needs two children.
 *
 * @param provesLone whether one raw vote alone is proved: leanSpec's aggregate() does, ethlambda's resolve_job does not
 * (and neither would leanSpec#748).
 */
export function isViable(rawVotes: number, children: number, provesLone: boolean): boolean {
  if (rawVotes === 0) return children >= 2;
  return children > 0 || rawVotes > 1 || provesLone;
}

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
