/**
 * What this project's other packages take of core that is no part of its API: it may change with any version.
 *
 * @internal
 */
export { signerIdBytes } from './baselines/gossipOfIndividuals.ts';
export { sanFerminSettings } from './baselines/sanFermin.ts';
export { mostMultiplicity } from './contribution/multiplicityCode.ts';
export { keyTotals, sumOfMultiples } from './contribution/multiplicitySum.ts';
export { popcount } from './contribution/popcount.ts';
export {
  expected,
  isObject,
  requireArray,
  requireBytes,
  requireFieldsOf,
  requireFunction,
  requireInt32Array,
  requireInteger,
  requireKnownFields,
  requireMethods,
  requireNumber,
  requireObject,
  requireText,
  shortened,
} from './errors.ts';
export { longestGap } from './handel/backOff.ts';
export { handelSettings, validateHandelConfig } from './handel/config.ts';
export type {
  EntryPlace,
  ExplainedChoice,
  ExplainedEntry,
  ExplainedLevel,
  Explanation,
} from './handel/explanation.ts';
export { heftOf, heftOfSigner } from './handel/heft.ts';
export { levelInts, peersRecordAt } from './handel/levels.ts';
export { memoryIn, sharedState } from './handel/memory.ts';
export { checkingOf, explain, levelsAtOf, slabOf, stateOf, watchChoices } from './handel/node.ts';
export { firstSlot, PeerFact, peersField } from './handel/peers.ts';
export { type KeptList, List, nil, unscored } from './handel/pending.ts';
export { entryScore } from './handel/score.ts';
export type { Choice, Rule } from './handel/selection.ts';
export type { SharedState } from './handel/sharedState.ts';
export { grownBy, type HandelState } from './handel/state.ts';
export { mix32 } from './random.ts';
export { refusalNumber } from './refusals.ts';
export {
  type AnyRange,
  defaultsOf,
  durations,
  factors,
  type IntegerRange,
  integers,
  isIn,
  listOf,
  microseconds,
  type NumberRange,
  numbersText,
  type OwnRange,
  oneOf,
  onOff,
  partialShares,
  type Range,
  requireAllIn,
  requireIn,
  type Setting,
  type SettingsOf,
  type SparseSettingsOf,
  seconds,
  seedSetting,
  shares,
} from './setting.ts';
export { partOf, requireThreshold } from './shares.ts';
export { Slab, sizeClass } from './slab.ts';
export { countedBytes } from './wire/message.ts';
