import { type MemberSet, sizeOf } from '@tutti/core/horn';
import {
  type Half,
  ownersOf,
  type ReachingProof,
  reachingProof,
  subnetsOfHalf,
  votesWithin,
  type Window,
} from './rules.ts';

/** Names of the aggregation strategies. */
export const leanStrategies = [
  'spec',
  'greedy',
  'window',
  'window-skip',
  'gossip',
  'direct',
  'grid',
  'super',
  'tree',
  'halving',
  'halving-owners',
] as const;
/** Name of one of {@link leanStrategies}. */
export type LeanStrategy = (typeof leanStrategies)[number];

/** Former names of strategies, which old links and commands still use. */
const formerStrategies: Readonly<Record<string, LeanStrategy>> = {
  handel: 'halving',
  'handel-owners': 'halving-owners',
};

/** Returns the strategy with a current or former name, or undefined if there is none. */
export function leanStrategyNamed(name: string): LeanStrategy | undefined {
  return (
    leanStrategies.find((strategy) => strategy === name) ??
    (Object.hasOwn(formerStrategies, name) ? formerStrategies[name] : undefined)
  );
}

/** Returns whether a strategy merges by halving levels, in which owners rotate or all members are owners. */
export function isHalving(strategy: LeanStrategy): boolean {
  return strategy === 'halving' || strategy === 'halving-owners';
}

/** Returns whether a strategy merges by levels, and waits for missing parts of a level. */
export function hasTurns(strategy: LeanStrategy): boolean {
  return strategy === 'tree' || isHalving(strategy);
}

/** Returns whether a strategy merges within windows of subnets. */
export function hasWindows(strategy: LeanStrategy): boolean {
  return strategy === 'window' || strategy === 'window-skip';
}

/** Sizes shared by all strategies of a comparison. Validator v is in subnet v mod `subnets`. */
export interface LeanSizes {
  readonly validators: number;
  readonly subnets: number;
  /** Duty subnet of each aggregator, by position. */
  readonly duties: readonly number[];
  /** Number of parts of a half: from 2 to the maximum number of children of a proof. */
  readonly branching: number;
  /** Maximum number of children of a proof in the prover. */
  readonly proverChildren: number;
  /** Maximum number of children of a proof in clients, which may limit it further. */
  readonly clientChildren: number;
  /**
   * Number of aggregators that serve all subnets, in strategies that have such aggregators. These aggregators have the
   * first positions.
   */
  readonly supers: number;
  /** Minimum share of the half's validators that a merge at a level must add; at least one validator. */
  readonly minGain: number;
}

/** A proof, as every aggregator sees it. */
export interface LeanProof extends ReachingProof {
  readonly id: number;
  /** First of the proof's subnets. */
  readonly from: number;
  /** Subnet after the last of the proof's subnets. */
  readonly to: number;
  readonly bytes: number;
  /** Position of the proof's maker. */
  readonly by: number;
  /** Proofs that were merged into this one. */
  readonly children: readonly LeanProof[];
  /** Number of raw votes that were proved with the children. */
  readonly rawVotes: number;
  /** Maximum number of merges from a proof without children to this proof. */
  readonly depth: number;
  /** Half for which the proof was made, if the strategy has levels. */
  readonly half: Half | undefined;
  readonly isValid: boolean;
  /** True for a proof of the second message that equivocating validators sign. */
  readonly isSecond: boolean;
}

/**
 * Properties from which {@link makeProof} derives the others. By default, a proof is valid and is not a proof of the
 * second message.
 */
export type ProofMaking = Pick<LeanProof, 'id' | 'votes' | 'bytes' | 'by' | 'children' | 'rawVotes' | 'half'> & {
  readonly isValid?: boolean;
  readonly isSecond?: boolean;
};

/** Returns a proof with its derived properties. */
export function makeProof({ validators, subnets }: LeanSizes, making: ProofMaking): LeanProof {
  const depth = making.children.reduce((max, child) => Math.max(max, child.depth), 0);
  const reaching = reachingProof(making.votes, validators, subnets);
  return {
    ...reaching,
    ...making,
    from: reaching.subnets.indexOf(1),
    to: reaching.subnets.lastIndexOf(1) + 1,
    depth: making.children.length === 0 ? 0 : depth + 1,
    isValid: making.isValid ?? true,
    isSecond: making.isSecond ?? false,
  };
}

/** Sets of validators by subnets, and owners of halves, computed once and cached. */
export class SubnetMasks {
  readonly #sizes: LeanSizes;
  readonly #windows = new Map<number, MemberSet>();
  readonly #counts = new Map<MemberSet, number>();
  readonly #ranks = new Map<string, readonly number[]>();

  constructor(sizes: LeanSizes) {
    this.#sizes = sizes;
  }

  ofWindow({ first, width }: Window): MemberSet {
    const { validators, subnets } = this.#sizes;
    const key = first * (subnets + 1) + width;
    let mask = this.#windows.get(key);
    if (mask === undefined) {
      mask = votesWithin({ first, width }, validators, subnets);
      this.#windows.set(key, mask);
      this.#counts.set(mask, sizeOf(mask));
    }
    return mask;
  }

  ofHalf(half: Half): MemberSet {
    const [from, to] = subnetsOfHalf(half, this.#sizes.subnets, this.#sizes.branching);
    return this.ofWindow({ first: from, width: to - from });
  }

  /** Returns a position's rank among the rotating owners of its half; see {@link ownersOf}. */
  rank(half: Half, position: number, slot: number): number {
    const key = `${half.level} ${half.index} ${slot}`;
    let owners = this.#ranks.get(key);
    if (owners === undefined) {
      owners = ownersOf(half, positionsOfHalf(this.#sizes, half), slot);
      this.#ranks.set(key, owners);
    }
    return owners.indexOf(position);
  }

  /** Returns the number of validators in a mask that this object has returned. */
  count(mask: MemberSet): number {
    return this.#counts.get(mask)!;
  }
}

/** Returns the half of a level that contains a position's duty subnet. */
export function halfOfPosition({ duties, branching }: LeanSizes, position: number, level: number): Half {
  return { level, index: Math.floor(duties[position]! / branching ** level) };
}

/** Returns the positions whose duty subnet is in a half. */
export function positionsOfHalf({ duties, subnets, branching }: LeanSizes, half: Half): number[] {
  const [from, to] = subnetsOfHalf(half, subnets, branching);
  return duties.flatMap((duty, position) => (duty >= from && duty < to ? [position] : []));
}
