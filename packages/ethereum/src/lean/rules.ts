import { addMember, emptySet, hasMember, type MemberSet, sizeBeyond, sizeOf } from '@tutti/core/horn';
import { mix32, popcount } from '@tutti/core/packed';

/** Returns the number of validators of `set` that `over` lacks, restricted to `within` if given. */
export function countNewVotes(set: MemberSet, over: MemberSet, within?: MemberSet): number {
  if (within === undefined) return sizeBeyond(set, over);
  let count = 0;
  for (let word = 0; word < set.length; word++) count += popcount(set[word]! & ~over[word]! & within[word]!);
  return count;
}

/** Adds the validators of `other` to `set`. */
export function joinVotes(set: MemberSet, other: MemberSet): void {
  for (let word = 0; word < set.length; word++) set[word]! |= other[word]!;
}

/** Removes the validators of `other` from `set`. */
export function dropVotes(set: MemberSet, other: MemberSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= ~other[word]!;
}

/** A half in halving levels: branching^level consecutive subnets; the last half has the remaining subnets. */
export interface Half {
  readonly level: number;
  /** Index from 0, in the order of the subnets. */
  readonly index: number;
}

/** Returns the subnets [from, to) of a half. */
export function subnetsOfHalf({ level, index }: Half, subnets: number, branching: number): [number, number] {
  const width = branching ** level;
  return [index * width, Math.min(subnets, (index + 1) * width)];
}

/** Returns the number of levels above the leaves. The half on the highest level contains all subnets. */
export function topLevel(subnets: number, branching: number): number {
  let level = 0;
  while (branching ** level < subnets) level++;
  return level;
}

/** Returns the halves of the level below that form this half, without empty halves. */
export function partsOfHalf({ level, index }: Half, subnets: number, branching: number): Half[] {
  const parts: Half[] = [];
  for (let part = index * branching; part < (index + 1) * branching; part++) {
    if (part * branching ** (level - 1) < subnets) parts.push({ level: level - 1, index: part });
  }
  return parts;
}

/**
 * Returns the owners of a half: its positions, in an order that depends on the slot. Owner k, counted from 0, begins
 * only after k turns, if no proof of the half from an earlier owner has arrived. A half has an owner as long as any of
 * its positions is live. Only the order depends on the slot, so halves are never misaligned.
 */
export function ownersOf(half: Half, positions: readonly number[], slot: number): number[] {
  const key = (position: number) => mix32(mix32(mix32(mix32(slot) ^ half.level) ^ half.index) ^ position) >>> 0;
  return [...positions].sort((a, b) => key(a) - key(b) || a - b);
}

/** The part of a proof that matters for choosing children: its validators. */
interface Proof {
  readonly votes: MemberSet;
}

/** Rule for choosing a proof's children. */
export interface ChildrenRule {
  /** Maximum number of children: 2 in ethlambda (MAX_AGGREGATION_CHILDREN), 16 in the prover (MAX_RECURSIONS). */
  readonly max: number;
  /** Validators that count as new; undefined for all. A chosen child nevertheless covers all of its own validators. */
  readonly within?: MemberSet | undefined;
  /** Validators that are covered before the first choice. */
  readonly covered?: MemberSet | undefined;
  /** Minimum number of validators that each child must add. Default: 1. */
  readonly minGain?: number | undefined;
  /**
   * Proof to choose if several add the same number of validators: the proof with the largest encoding (leanSpec), or
   * the last proof.
   */
  readonly ties: 'encoding' | 'last';
}

/**
 * Chooses the proofs to merge. The function repeatedly takes the proof that adds the most validators, until no proof
 * adds at least `minGain` or the maximum is reached. The function finishes one pool before the next, so that new proofs
 * come before known ones.
 *
 * leanSpec, forks/lstar/aggregation.py: a greedy cover over the pending pool, then over the known pool; the largest
 * encoding wins a tie; no limit. ethlambda, aggregation.rs, resolve_job: at most two children.
 *
 * @param pools pools, each in order of arrival. @returns indices as [pool, place].
 */
export function chooseChildren(pools: readonly (readonly Proof[])[], rule: ChildrenRule): [number, number][] {
  const chosen: [number, number][] = [];
  const first = pools.find((pool) => pool.length > 0)?.[0];
  if (first === undefined) return chosen;
  const covered = rule.covered?.slice() ?? emptySet(32 * first.votes.length);
  pools.forEach((pool, at) => {
    const gains = pool.map(({ votes }) => countNewVotes(votes, covered, rule.within));
    while (chosen.length < rule.max) {
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

/** Returns the index of the proof that adds the most validators, or -1 if no proof adds at least `minGain`. */
function bestOf(pool: readonly Proof[], gains: readonly number[], { ties, minGain = 1 }: ChildrenRule): number {
  let best = -1;
  for (let place = 0; place < pool.length; place++) {
    const gain = gains[place]!;
    if (gain < minGain || (best !== -1 && gain < gains[best]!)) continue;
    const isTie = best !== -1 && gain === gains[best]!;
    if (isTie && ties === 'encoding' && compareEncodings(pool[place]!.votes, pool[best]!.votes) <= 0) continue;
    best = place;
  }
  return best;
}

/**
 * Compares proofs as leanSpec does: by the bytes of their encodings. An encoding begins with two little-endian offsets.
 * The first is always 8; the second is 8 plus the length of the participants in bytes. The participants follow as a bit
 * list with a 1 after the last bit. The proofs themselves come last and are not compared.
 *
 * @returns a positive number if the first is larger.
 */
export function compareEncodings(a: MemberSet, b: MemberSet): number {
  const [one, other] = [encodingOf(a), encodingOf(b)];
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? 0 : one[at]! - other[at]!;
}

/** Returns the second offset and an SSZ bit list that is just long enough for its highest voter. */
function encodingOf(votes: MemberSet): Uint8Array {
  let last = votes.length - 1;
  while (last > 0 && votes[last] === 0) last--;
  const length = 32 * (last + 1) - Math.clz32(votes[last] ?? 0);
  const encoding = new Uint8Array(4 + (length >>> 3) + 1);
  const bits = encoding.subarray(4);
  for (let at = 0; at < bits.length; at++) bits[at] = (votes[at >>> 2] ?? 0) >>> (8 * (at & 3));
  bits[length >>> 3]! |= 1 << (length & 7);
  new DataView(encoding.buffer).setUint32(0, 8 + bits.length, true);
  return encoding;
}

/**
 * Returns whether a job is worth a proof: without a raw vote it needs two children.
 *
 * @param provesLone whether to prove a single raw vote. leanSpec's aggregate() does; ethlambda's resolve_job does not
 * (and leanSpec#748 would not).
 */
export function isViable(rawVotes: number, children: number, provesLone: boolean): boolean {
  if (rawVotes === 0) return children >= 2;
  return children > 0 || rawVotes > 1 || provesLone;
}

/**
 * A window of subnets, as in ethlambda since September 2026 (its #613, aggregation.rs). An aggregator with the duty
 * subnet d merges within the subnets d to d + width - 1, modulo the number of subnets. Windows are levels like
 * Handel's, but without owners on which all nodes agree. Validator v is in subnet v modulo the number of subnets.
 */
export interface Window {
  readonly first: number;
  /** Number of subnets in the window. */
  readonly width: number;
}

/** The properties of a proof that windows use. */
export interface ReachingProof {
  readonly votes: MemberSet;
  /** Number of validators. */
  readonly size: number;
  /** Flag per subnet: 1 if the proof contains a validator of the subnet, otherwise 0. */
  readonly subnets: Uint8Array;
  /** Number of subnets with a validator in the proof. */
  readonly reach: number;
}

/** Returns a proof with the properties that windows need. */
export function reachingProof(votes: MemberSet, validators: number, subnets: number): ReachingProof {
  const touched = new Uint8Array(subnets);
  for (let validator = 0; validator < validators; validator++) {
    if (hasMember(votes, validator)) touched[validator % subnets] = 1;
  }
  return { votes, size: sizeOf(votes), subnets: touched, reach: touched.reduce((sum, one) => sum + one, 0) };
}

/**
 * Returns the window of an aggregator. The anchor is the proof with the most validators among all proofs with a
 * validator of the duty subnet; on a tie, the one with the larger reach. The width is twice the anchor's reach, at most
 * all subnets, or 1 without an anchor.
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

/**
 * Returns whether an aggregator may merge a window of this width in a slot, with ethlambda's
 * `--skip-redundant-aggregation`.
 */
export function ownsWidth(duty: number, width: number, slot: number): boolean {
  return duty % width === slot % width;
}

/** Returns the validators in a window's subnets. */
export function votesWithin({ first, width }: Window, validators: number, subnets: number): MemberSet {
  const set = emptySet(validators);
  for (let validator = 0; validator < validators; validator++) {
    if (((validator % subnets) - first + subnets) % subnets < width) addMember(set, validator);
  }
  return set;
}
