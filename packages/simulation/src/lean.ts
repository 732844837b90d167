/**
 * A laboratory of post-quantum ("lean") aggregation: proofs of votes, merged by provers that take seconds, over slots of
 * a chain.
 *
 * @packageDocumentation
 */
export { type LeanLimits, type LeanProfile, type LeanTimes, readProfile } from './lean/profile.ts';
export { leanProfileNames, leanProfiles } from './lean/profiles.ts';
export { type PlayedRounds, playRounds, type RoundsOptions, secondsOf } from './lean/rounds.ts';
export { evenDuties, type LeanProof, type LeanRival, type LeanSizes, leanRivals } from './lean/world.ts';
