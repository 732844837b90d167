import { partOf } from '@tutti/core/settings';
import type { AttackShare } from '@tutti/simulation';
import { UsageError } from '../usageError.ts';

/** Registry entries [first, end) that carry out an attack together. */
export interface LiarGroup {
  readonly attack: string;
  readonly first: number;
  readonly end: number;
}

/**
 * What the entries of a cluster's registry do. The shuffle of each round draws their places in the tree, so that it
 * suffices to tell them apart by index: honest nodes first, then liars, then dead nodes.
 */
export interface ClusterCast {
  /** Entries [0, honest) keep the protocol. */
  readonly honest: number;
  /** Of these, entries [0, slow) verify slowly, see {@link slowFactor}. */
  readonly slow: number;
  /** From entry `honest` on, one group after another; the entries behind the last group are dead. */
  readonly liars: readonly LiarGroup[];
}

/** How many times as long a slow node's verifications take. */
export const slowFactor = 10;

export interface CastShares {
  readonly dead: number;
  readonly slow: number;
  readonly attack?: readonly AttackShare[];
}

/** @throws UsageError where no honest node is left. */
export function castOf(nodes: number, { dead, slow, attack = [] }: CastShares): ClusterCast {
  const counts = attack.map(({ share }) => partOf(nodes, share));
  const honest = nodes - partOf(nodes, dead) - counts.reduce((sum, count) => sum + count, 0);
  if (honest < 1) throw new UsageError(`--dead, --attack: expected at least 1 honest node of ${nodes}, got none`);
  let first = honest;
  const liars = attack.map(({ name }, place) => {
    const group = { attack: name, first, end: first + counts[place]! };
    first = group.end;
    return group;
  });
  return { honest, slow: Math.min(honest, partOf(nodes, slow)), liars };
}

/** The same cluster without its liars: they say nothing, as dead nodes do. */
export function withoutLiars(cast: ClusterCast): ClusterCast {
  return { ...cast, liars: [] };
}

/** How many entries lie. */
export function liarCount({ liars }: ClusterCast): number {
  return liars.reduce((sum, { first, end }) => sum + end - first, 0);
}
