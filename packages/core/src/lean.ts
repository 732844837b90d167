/**
 * Rules by which post-quantum ("lean") Ethereum aggregates votes in recursive proofs, as pure functions over sets of
 * validators: leanSpec's choice of children, ethlambda's windows, and Handel's levels with owners
 * that turn. `@tutti/simulation/lean` runs slots with them.
 *
 * @example
 * ```js
 * import { ownersOf, topLevel } from '@tutti/core/lean';
 *
 * console.log(topLevel(16, 2), ownersOf({ level: 1, index: 0 }, [0, 1], 1).length);
 * ```
 *
 * ```text
 * 4 2
 * ```
 *
 * @packageDocumentation
 */
export { type ChildrenRule, chooseChildren, isViable, type Proof } from './lean/children.ts';
export { ownsWidth, type ReachingProof, reachingProof, votesWithin, type Window, windowOf } from './lean/ethlambda.ts';
export { type Half, ownersOf, partsOfHalf, subnetsOfHalf, topLevel } from './lean/owners.ts';
export {
  addVote,
  countNewVotes,
  countVotes,
  dropVotes,
  emptyVotes,
  hasVote,
  joinVotes,
  type VoteSet,
} from './lean/voteSet.ts';
