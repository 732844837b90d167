import type { LeanProfile } from './profile.ts';
import profiles from './profiles.json' with { type: 'json' };

/**
 * The built-in profiles by name. They are data in the format of a profile file: `tutti lean profile NAME` prints one,
 * which can be changed and passed with --profile.
 *
 * The prover's fit to leanBench (June 2026, Xeon 8581C; results 13-25-10Z, 13-26-29Z, 12-01-22Z) is this project's own.
 * A merge costs 0.2 children in addition to its actual children: a fit without that term is 12 % off at eight children.
 */
export const leanProfiles: Readonly<Record<string, LeanProfile>> = profiles;

/** Names of all built-in profiles. */
export const leanProfileNames = Object.keys(leanProfiles);
