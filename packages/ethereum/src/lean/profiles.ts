import type { LeanProfile } from './profile.ts';
import profiles from './profiles.json' with { type: 'json' };

/*
 * The profiles that can be named. They are data, read as a file's are: `tutti lean profile NAME` prints one, to be
 * changed and given back with --profile.
 *
 * The prover's fit to leanBench (June 2026, Xeon 8581C; results 13-25-10Z, 13-26-29Z, 12-01-22Z) is ours. A merge costs
 * 0.2 children beside its own: a fit without that is 12 % off at eight children.
 */

export const leanProfiles: Readonly<Record<string, LeanProfile>> = profiles;

export const leanProfileNames = Object.keys(leanProfiles);
