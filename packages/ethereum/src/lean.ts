/**
 * Simulation of post-quantum ("lean") aggregation over the slots of a chain: proofs of votes, and provers that take
 * seconds to merge them.
 *
 * @example
 * ```js
 * import { leanProfileNames } from '@tutti/ethereum/lean';
 *
 * console.log(leanProfileNames.join(', '));
 * ```
 *
 * ```text
 * lean-2026-06, lean-2026-09, eip-8292
 * ```
 *
 * @packageDocumentation
 */

export {
  type LeanChain,
  type LeanChainOptions,
  type LeanChainResult,
  type LeanChainSlot,
  type LeanChainSummary,
  leanChainSummary,
  runLeanChain,
} from './lean/chain/chain.ts';
export { leanStories, leanStoryNames, slotsInRow, steadyChain } from './lean/chain/stories.ts';
export {
  allPlacements,
  checkLean,
  type LeanCase,
  type LeanCheckResult,
  type LeanClaim,
  type LeanCounterexample,
  leanClaims,
  leanLink,
  readLeanLink,
  replayLeanLink,
} from './lean/check/check.ts';
export type { LeanFault, LeanModelOptions } from './lean/check/model.ts';
export {
  type LeanLimits,
  type LeanProfile,
  type LeanTimes,
  leanProfileNames,
  leanProfiles,
  profileCounts,
  readProfile,
} from './lean/profile.ts';
export {
  type RoundsOptions,
  type RoundsOutcome,
  runRounds,
} from './lean/rounds.ts';
export type { Half } from './lean/rules.ts';
export type { LeanJob } from './lean/slot/aggregator.ts';
export {
  comparedShares,
  comparedWorlds,
  compareLean,
  type LeanComparison,
  type LeanContender,
  type LeanMapCell,
  type LeanRanking,
  leanContenders,
  leanMapCell,
  leanMapProposers,
  leanMapScenarios,
  leanRankings,
} from './lean/slot/compare.ts';
export { type DuplicateTime, type LeanMetric, type LeanWaste, leanMetrics } from './lean/slot/metrics.ts';
export {
  type LeanCoverage,
  type LeanLane,
  type LeanRecording,
  type RecordedProof,
  recordLeanSlot,
} from './lean/slot/recording.ts';
export {
  type LeanOutcome,
  type LeanSlotResult,
  leanOutcomes,
  leanSlotResult,
  runLeanSeeds,
  runLeanSlot,
  sampleLeanSlot,
  summaryFields,
} from './lean/slot/result.ts';
export {
  deadlines,
  defaultLeanScenario,
  defaultProposers,
  type LeanPlacement,
  type LeanRole,
  type LeanScenario,
  type LeanStart,
  type LeanSubscribers,
  leanPlacements,
  leanRoles,
  leanSettings,
  leanStarts,
  leanSubscribers,
  validateLeanScenario,
} from './lean/slot/scenario.ts';
export { leafShareOf } from './lean/slot/timing.ts';
export { type VoteTraffic, voteTraffic } from './lean/slot/voteTraffic.ts';
export { type LeanProof, type LeanSizes, type LeanStrategy, leanStrategies, leanStrategyNamed } from './lean/world.ts';
export { isAbove, type Summary, summaryOf } from './statistics.ts';
