import { emptySet, type MemberSet, sizeOf } from '@tutti/core/horn';
import {
  type ChildrenRule,
  chooseChildren,
  countNewVotes,
  dropVotes,
  type Half,
  isViable,
  joinVotes,
  ownsWidth,
  partsOfHalf,
  subnetsOfHalf,
  topLevel,
  windowOf,
} from './rules.ts';
import {
  halfOfPosition,
  hasWindows,
  type LeanProof,
  type LeanSizes,
  type LeanStrategy,
  positionsOfHalf,
  type SubnetMasks,
} from './world.ts';

/** Knowledge that an aggregator has when its prover becomes free. */
export interface LeanView {
  readonly sizes: LeanSizes;
  readonly masks: SubnetMasks;
  readonly position: number;
  readonly slot: number;
  /** Proofs that the aggregator has verified, in order of arrival, including pending ones (leanSpec's pools). */
  readonly proofs: readonly LeanProof[];
  isPending(proof: LeanProof): boolean;
  /** Proofs that the aggregator knows from have-bits but does not hold. */
  readonly announced: readonly LeanProof[];
  /** Raw votes that the aggregator holds and has not proved. */
  readonly raw: MemberSet;
  /** Whether it is time to prove the raw votes. */
  readonly isLeafTime: boolean;
  /** Maximum number of children with which a proof is still ready in time. */
  readonly fits: number;
  /**
   * Returns the number of full turns since the position could first have merged a half, or -1 before that.
   *
   * @param parts number of parts of the half for which the position knows a proof. @param of total number of parts.
   */
  turns(half: Half, parts: number, of: number): number;
}

/** The aggregator's next proof. Children known only from announcements must be fetched first. */
export interface LeanPlan {
  readonly children: readonly LeanProof[];
  /** Raw votes, none of which is in a child. */
  readonly raw: MemberSet;
  readonly votes: MemberSet;
  readonly half: Half | undefined;
}

/** Returns whether a strategy never begins a proof that cannot end in time, unlike leanSpec and clients (gean#399). */
export function isBounded(strategy: LeanStrategy): boolean {
  return strategy !== 'spec' && strategy !== 'greedy' && !hasWindows(strategy);
}

/** Returns the proof that an aggregator with this strategy would make now, or undefined for none. */
export function planOf(strategy: LeanStrategy, view: LeanView): LeanPlan | undefined {
  const { validators } = view.sizes;
  switch (strategy) {
    case 'spec':
      return specPlan(view);
    case 'greedy':
      return clientPlan(view);
    case 'window':
      return windowPlan(view, false);
    case 'window-skip':
      return windowPlan(view, true);
    case 'super':
      return leafPlan(view) ?? superPlan(view, () => touchesAll(view));
    case 'gossip':
    case 'direct':
    case 'grid':
      return leafPlan(view) ?? superPlan(view, (votes) => sizeOf(votes) >= Math.floor(beamsimShare * validators));
    case 'tree':
    case 'halving-owners':
      return levelsPlan(view, strategy);
    case 'halving':
      return halvingPlan(view);
  }
}

/** BEAMSIM's snark2_threshold: the share of all validators for which a global aggregator waits. */
const beamsimShare = 0.66;

/**
 * Returns the plan of leanSpec's `aggregate()` (forks/lstar/aggregation.py): a greedy cover over the pending pool, then
 * over the known pool, completed by raw votes. The function is called once per slot, at interval 2. Known proofs alone
 * do not start a proof.
 */
function specPlan(view: LeanView): LeanPlan | undefined {
  if (!view.isLeafTime) return undefined;
  const pools = divided(view.proofs, view.isPending);
  if (pools[0]!.length === 0 && sizeOf(view.raw) === 0) return undefined;
  return fill(view, pools, { max: view.sizes.proverChildren, ties: 'encoding', isSpec: true });
}

/**
 * Returns ethlambda's plan: all raw votes, and the proofs that add the most votes, up to the maximum number that
 * clients merge.
 *
 * @param within validators of a window; only their votes count as new. Default: all validators.
 */
function clientPlan(view: LeanView, within?: MemberSet): LeanPlan | undefined {
  if (sizeOf(view.raw) > 0 && !view.isLeafTime) return undefined;
  const pools = divided(view.proofs, view.isPending);
  return fill(view, pools, { max: view.sizes.clientChildren, ties: 'last', within, covered: view.raw });
}

function windowPlan(view: LeanView, skips: boolean): LeanPlan | undefined {
  const { sizes, position, slot, masks, proofs } = view;
  const window = windowOf(proofs, sizes.duties[position]!, sizes.subnets);
  if (skips && !ownsWidth(window.first, window.width, slot)) return undefined;
  return clientPlan(view, masks.ofWindow(window)) ?? (skips ? undefined : clientPlan(view));
}

/** Returns a proof of the raw votes of the aggregator's own subnet. */
function leafPlan(view: LeanView): LeanPlan | undefined {
  const { sizes, raw, position, proofs } = view;
  if (!view.isLeafTime) return undefined;
  const isStraggling = proofs.some(({ by, children }) => by === position && children.length === 0);
  if (isStraggling && sizeOf(raw) < (sizes.minGain * sizes.validators) / sizes.subnets) return undefined;
  return fill(view, [], { max: 0, ties: 'last' });
}

/**
 * Returns a merge for an aggregator that serves all subnets, if the merge has enough votes, or as many proofs as the
 * time allows.
 */
function superPlan(view: LeanView, isEnough: (votes: MemberSet) => boolean): LeanPlan | undefined {
  const { sizes, position, proofs, fits } = view;
  if (position >= sizes.supers) return undefined;
  const max = Math.min(fits, sizes.proverChildren);
  const plan = fill(view, [proofs], { max, ties: 'encoding' });
  if (plan === undefined) return undefined;
  return isEnough(plan.votes) || plan.children.length >= max ? plan : undefined;
}

/** Returns whether the proofs cover every subnet that has an aggregator. */
function touchesAll({ sizes, proofs }: LeanView): boolean {
  return sizes.duties.every((duty) => proofs.some(({ subnets }) => subnets[duty] === 1));
}

/**
 * Returns the plan of levels with owners: in a tree, the first position of each half; otherwise, rotating owners with
 * successors.
 */
function levelsPlan(view: LeanView, strategy: 'tree' | 'halving-owners'): LeanPlan | undefined {
  const { sizes, masks, position, slot } = view;
  for (let level = 0; level <= topLevel(sizes.subnets, sizes.branching); level++) {
    const half = halfOfPosition(sizes, position, level);
    const rank = strategy === 'tree' ? fixedRank(sizes, half, position) : masks.rank(half, position, slot);
    if (turnsOf(view, half) < rank) continue;
    const plan = halfPlan(view, half);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

/** Returns 0 for the first position of a half, which is its only owner in a tree; infinity for any other position. */
function fixedRank(sizes: LeanSizes, half: Half, position: number): number {
  return positionsOfHalf(sizes, half)[0] === position ? 0 : Number.POSITIVE_INFINITY;
}

/** Returns the number of turns since all parts of a half became known. The part of a leaf is its raw votes. */
function turnsOf(view: LeanView, half: Half): number {
  if (half.level === 0) return view.turns(half, view.isLeafTime ? 1 : 0, 1);
  const parts = staffedParts(view, half);
  return view.turns(half, parts.filter((part) => isKnown(view, part)).length, parts.length);
}

/** Returns the parts of a half that have an aggregator. */
function staffedParts({ sizes }: LeanView, half: Half): Half[] {
  return partsOfHalf(half, sizes.subnets, sizes.branching).filter((part) => {
    const [from, to] = subnetsOfHalf(part, sizes.subnets, sizes.branching);
    return sizes.duties.some((duty) => duty >= from && duty < to);
  });
}

/**
 * Returns whether a proof of a whole half exists, or of its only part with an aggregator, whose proof is forwarded
 * unmerged.
 */
function isKnown(view: LeanView, half: Half): boolean {
  const { proofs, announced, sizes } = view;
  const isOf = (proof: LeanProof) => {
    const { level, index } = halfOf(proof, sizes);
    return level === half.level && index === half.index;
  };
  if (proofs.some(isOf) || announced.some(isOf)) return true;
  if (half.level === 0) return false;
  const parts = staffedParts(view, half);
  return parts.length === 1 && isKnown(view, parts[0]!);
}

/** Returns the half for which a proof was made. For a leaf, the half is the subnet of the proof's maker. */
function halfOf({ half, by }: LeanProof, { duties }: LeanSizes): Half {
  return half ?? { level: 0, index: duties[by]! };
}

/**
 * Returns held or announced proofs that were made for a half or a part of it, or contain only its validators. Other
 * validators in a proof are ignored. Otherwise, a leaf with a vote from every subnet would belong to no half.
 */
function knownWithin({ proofs, announced, sizes }: LeanView, half: Half): LeanProof[] {
  const [from, to] = subnetsOfHalf(half, sizes.subnets, sizes.branching);
  const isWithin = (proof: LeanProof) => {
    if (proof.from >= from && proof.to <= to) return true;
    const [first, end] = subnetsOfHalf(halfOf(proof, sizes), sizes.subnets, sizes.branching);
    return first >= from && end <= to;
  };
  return [...proofs.filter(isWithin), ...announced.filter(isWithin)];
}

/**
 * Returns a merge of a half's known proofs, if the merge adds enough votes to each existing proof.
 *
 * @param usable proofs that may be merged, and with which the merge is compared. Default: the known proofs of the half
 * are merged (only raw votes for a leaf), and the merge is compared with all known proofs.
 */
function halfPlan(view: LeanView, half: Half, usable?: readonly LeanProof[]): LeanPlan | undefined {
  const mask = view.masks.ofHalf(half);
  const pool = usable ?? (half.level === 0 ? [] : knownWithin(view, half));
  const withRaw = half.level > 0 || view.isLeafTime;
  const { proverChildren, minGain: minShare, validators, subnets } = view.sizes;
  const minGain = Math.max(1, (minShare * validators) / subnets);
  const rule = { max: proverChildren, within: mask, ties: 'last', minGain } as const;
  // Held proofs come before proofs that must be requested.
  const pools = divided(pool, (proof) => !view.announced.includes(proof));
  const plan = fill(withRaw ? view : { ...view, raw: emptySet(validators) }, pools, rule);
  if (plan === undefined) return undefined;
  const min = Math.max(1, minShare * view.masks.count(mask));
  const isDone = ({ votes }: LeanProof) => countNewVotes(plan.votes, votes, mask) < min;
  const others = usable ?? [...view.proofs, ...view.announced];
  return others.some(isDone) ? undefined : { ...plan, half };
}

/** Returns the plan of halving levels: each position merges its part of a half with results of the sibling parts. */
function halvingPlan(view: LeanView): LeanPlan | undefined {
  const { sizes, position } = view;
  for (let level = 0; level <= topLevel(sizes.subnets, sizes.branching); level++) {
    const half = halfOfPosition(sizes, position, level);
    // To build its own part of a half, a position uses only its own proofs. Merges of that part by other positions go
    // to the other side.
    const own = level === 0 ? [] : knownWithin(view, halfOfPosition(sizes, position, level - 1));
    const usable = knownWithin(view, half).filter(
      (proof) => proof.by === position || (level > 0 && !own.includes(proof)),
    );
    const plan = halfPlan(view, half, usable);
    if (plan !== undefined && turnsOf(view, half) >= 0) return plan;
  }
  return undefined;
}

/** Divides proofs into two pools: those that fulfil a condition, and all others. */
function divided(proofs: readonly LeanProof[], isFirst: (proof: LeanProof) => boolean): LeanProof[][] {
  return [true, false].map((is) => proofs.filter((proof) => isFirst(proof) === is));
}

interface FillRule extends ChildrenRule {
  /** Whether to prove a single raw vote, and a union that an existing proof already covers. */
  readonly isSpec?: boolean;
}

/**
 * Returns a plan with the chosen children and the raw votes that no child contains, or undefined if the plan is not
 * worthwhile.
 */
function fill(view: LeanView, pools: readonly (readonly LeanProof[])[], rule: FillRule): LeanPlan | undefined {
  const children = chooseChildren(pools, rule).map(([pool, place]) => pools[pool]![place]!);
  const votes = emptySet(view.sizes.validators);
  for (const child of children) joinVotes(votes, child.votes);
  const raw = view.raw.slice();
  dropVotes(raw, votes);
  const isSpec = rule.isSpec === true;
  if (!isViable(sizeOf(raw), children.length, isSpec)) return undefined;
  joinVotes(votes, raw);
  // An existing proof already covers this union, so it would add no voter.
  if (!isSpec && view.proofs.some((proof) => countNewVotes(votes, proof.votes) === 0)) return undefined;
  return { children, raw, votes, half: undefined };
}
