/**
 * Internals of the packed Handel node: its state, memory, queues, scores and choices. Recorders, checkers, replays and
 * prefetchers of runs read these internals, which may change in any version. The functions run once per event, so they
 * check no arguments. The packed node is optimised for speed; `readableHandel` is the specification.
 *
 * @example
 * ```js
 * import { mix32, sizeClass } from '@tutti/core/packed';
 *
 * console.log(typeof mix32(1), sizeClass(5));
 * ```
 *
 * ```text
 * number 3
 * ```
 *
 * @packageDocumentation
 */

export { signerIdBytes } from './baselines/gossipOfIndividuals.ts';
export { popcount } from './bytes.ts';
export {
  type EntryPlace,
  type ExplainedChoice,
  type ExplainedEntry,
  type ExplainedLevel,
  type Explanation,
  explainState,
} from './handel/packed/explanation.ts';
export { type Levels, levelInts, peersRecordAt } from './handel/packed/levels.ts';
export type { Call, SharedState } from './handel/packed/memory.ts';
export type { HandelInspector } from './handel/packed/node.ts';
export { firstSlot, PeerFact, type Peers, peersField } from './handel/packed/peers.ts';
export { type IndividualList, List, nil, type Pending, type PendingList, unscored } from './handel/packed/pending.ts';
export { RuleView } from './handel/packed/ruleSlots.ts';
export { entryScore, stakeWeightOf, stakeWeightOfSigner } from './handel/packed/score.ts';
export type { Choice } from './handel/packed/selection.ts';
export {
  type Decision,
  grownBy,
  type HandelState,
  type Pruning,
  type Rule,
  type RuleSlots,
} from './handel/packed/state.ts';
export { mix32 } from './random.ts';
export { refusalNumber } from './refusals.ts';
export { Slab, sizeClass } from './slab.ts';
export { countedBytes } from './wire/message.ts';
