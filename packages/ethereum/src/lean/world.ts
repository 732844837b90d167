import {
  countVotes,
  type Half,
  ownersOf,
  reachingProof,
  subnetsOfHalf,
  type VoteSet,
  votesWithin,
  type Window,
} from './rules.ts';

/** How votes are brought together. */
export const leanRivals = [
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
export type LeanRival = (typeof leanRivals)[number];

/** Former names, as links and commands have them. */
const formerRivals: Readonly<Record<string, LeanRival>> = { handel: 'halving', 'handel-owners': 'halving-owners' };

/** Returns the strategy that a present or a former name stands for; undefined if there is none. */
export function leanRivalNamed(name: string): LeanRival | undefined {
  return (
    leanRivals.find((rival) => rival === name) ?? (Object.hasOwn(formerRivals, name) ? formerRivals[name] : undefined)
  );
}

/** Returns whether a strategy merges by halving levels in which owners turn, or all are owners. */
export function isHalving(rival: LeanRival): boolean {
  return rival === 'halving' || rival === 'halving-owners';
}

/** What all rivals of one comparison share. Validator v is in subnet v mod `subnets`. */
export interface LeanSizes {
  readonly validators: number;
  readonly subnets: number;
  /** By position: the aggregator's duty subnet. */
  readonly duties: readonly number[];
  /** Parts that a half of a level is made of: 2, or up to what a proof may have as children. */
  readonly branching: number;
  /** Children of a proof: by the prover, and by clients that cap them. */
  readonly proverChildren: number;
  readonly clientChildren: number;
  /** Aggregators that serve all subnets, the first positions, where a rival has them. */
  readonly supers: number;
  /** Of proofs that add equally much a client takes the last that came (as by default), or the first. */
  readonly ties?: 'last' | 'first';
  /** A merge of a level must add this share of its half's validators, at least one. */
  readonly minGain: number;
}

/** A proof, as everybody who has it sees it. */
export interface LeanProof {
  readonly id: number;
  readonly votes: VoteSet;
  readonly size: number;
  readonly subnets: Uint8Array;
  readonly reach: number;
  /** The first of its subnets, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Position of whoever made it, what of, and how many merges deep it is. */
  readonly by: number;
  readonly children: readonly LeanProof[];
  readonly rawVotes: number;
  readonly depth: number;
  /** The half that it was made for, where levels have owners. */
  readonly half: Half | undefined;
  readonly isValid: boolean;
  /** Of the message that equivocating validators sign beside the slot's. */
  readonly isSecond: boolean;
}

export type ProofMaking = Pick<LeanProof, 'id' | 'votes' | 'bytes' | 'by' | 'children' | 'rawVotes' | 'half'> & {
  readonly isValid?: boolean;
  readonly isSecond?: boolean;
};

export function makeProof({ validators, subnets }: LeanSizes, making: ProofMaking): LeanProof {
  const depth = making.children.reduce((most, child) => Math.max(most, child.depth), 0);
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

/** Sets of validators by subnets, and owners of halves, made once. */
export class SubnetMasks {
  readonly #sizes: LeanSizes;
  readonly #windows = new Map<number, VoteSet>();
  readonly #counts = new Map<VoteSet, number>();
  readonly #ranks = new Map<string, readonly number[]>();

  constructor(sizes: LeanSizes) {
    this.#sizes = sizes;
  }

  ofWindow({ first, width }: Window): VoteSet {
    const { validators, subnets } = this.#sizes;
    const key = first * (subnets + 1) + width;
    let mask = this.#windows.get(key);
    if (mask === undefined) {
      mask = votesWithin({ first, width }, validators, subnets);
      this.#windows.set(key, mask);
      this.#counts.set(mask, countVotes(mask));
    }
    return mask;
  }

  ofHalf(half: Half): VoteSet {
    const [from, to] = subnetsOfHalf(half, this.#sizes.subnets, this.#sizes.branching);
    return this.ofWindow({ first: from, width: to - from });
  }

  /** A position's place among the turning owners of its half: see {@link ownersOf}. */
  rank(half: Half, position: number, slot: number): number {
    const key = `${half.level} ${half.index} ${slot}`;
    let owners = this.#ranks.get(key);
    if (owners === undefined) {
      owners = ownersOf(half, positionsOfHalf(this.#sizes, half), slot);
      this.#ranks.set(key, owners);
    }
    return owners.indexOf(position);
  }

  /** Validators of a mask that this object has made. */
  count(mask: VoteSet): number {
    return this.#counts.get(mask) ?? countVotes(mask);
  }
}

/** Positions whose duty subnet is in a half. */
export function positionsOfHalf({ duties, subnets, branching }: LeanSizes, half: Half): number[] {
  const [from, to] = subnetsOfHalf(half, subnets, branching);
  return duties.flatMap((duty, position) => (duty >= from && duty < to ? [position] : []));
}
