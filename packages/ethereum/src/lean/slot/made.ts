import type { LeanPlan } from '../plans.ts';
import { addVote, countVotes, emptyVotes, hasVote, joinVotes, type VoteSet } from '../rules.ts';
import type { LeanSizes } from '../world.ts';
import type { LeanRole } from './scenario.ts';

/** Returns the proof that a Byzantine aggregator makes instead of a plan, or undefined if it stays silent. */
export function corrupted(plan: LeanPlan, role: LeanRole | undefined, sizes: LeanSizes): LeanPlan | undefined {
  if (role === 'silent') return undefined;
  if (role === 'omitting') return omitted(plan, sizes);
  if (role === 'wide' && plan.children.length === 0) return widened(plan, sizes);
  return plan;
}

/** Returns the plan without every other raw vote and without the last child. */
function omitted(plan: LeanPlan, sizes: LeanSizes): LeanPlan | undefined {
  const raw = emptyVotes(sizes.validators);
  let seen = 0;
  for (let validator = 0; validator < sizes.validators; validator++) {
    if (hasVote(plan.raw, validator) && seen++ % 2 === 0) addVote(raw, validator);
  }
  const children = plan.children.length > 0 ? plan.children.slice(0, -1) : plan.children;
  const votes = raw.slice();
  for (const child of children) joinVotes(votes, child.votes);
  if (countVotes(votes) === 0 || (children.length < 2 && countVotes(raw) < 2)) return undefined;
  return { ...plan, children, raw, votes };
}

/**
 * Returns the plan with a vote of each other subnet added. Such a proof is an anchor that makes every window as wide as
 * possible.
 */
function widened(plan: LeanPlan, { validators, subnets }: LeanSizes): LeanPlan {
  const votes = plan.votes.slice();
  for (let validator = 0; validator < Math.min(subnets, validators); validator++) addVote(votes, validator);
  return { ...plan, votes, raw: votes };
}

/** Returns `count` sets, each of which lacks one vote of the given set. */
export function overlapping(votes: VoteSet, validators: number, count: number): VoteSet[] {
  const sets: VoteSet[] = [];
  for (let validator = 0; validator < validators && sets.length < count; validator++) {
    if (!hasVote(votes, validator)) continue;
    const less = votes.slice();
    less[validator >>> 5]! &= ~(1 << (validator & 31));
    sets.push(less);
  }
  return sets;
}
