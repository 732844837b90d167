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
  isBytes,
  isObject,
  isTyped,
  likeliest,
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
export { backOffRule, handelSettings, validateHandelConfig } from './handel/config.ts';
export type {
  EntryPlace,
  ExplainedChoice,
  ExplainedEntry,
  ExplainedLevel,
  Explanation,
} from './handel/packed/explanation.ts';
export { levelInts, peersRecordAt } from './handel/packed/levels.ts';
export type { SharedState } from './handel/packed/memory.ts';
export { memoryIn, sharedState } from './handel/packed/memory.ts';
export { checkingOf, explain, levelsAtOf, slabOf, stateOf, viewOf, watchChoices } from './handel/packed/node.ts';
export { firstSlot, PeerFact, peersField } from './handel/packed/peers.ts';
export { type KeptList, List, nil, unscored } from './handel/packed/pending.ts';
export { entryScore, heftOf, heftOfSigner } from './handel/packed/score.ts';
export type { Choice } from './handel/packed/selection.ts';
export { grownBy, type HandelState, type Rule } from './handel/packed/state.ts';
export { JsonError, parseJson, withoutMark } from './json.ts';
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
