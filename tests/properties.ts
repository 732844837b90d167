import fc from 'fast-check';
import { drawSeed, isWhole } from './sampled.ts';

/** All properties use one seed and run 20 cases, or 100 in CI, with lengths up to their own maximum. */
fc.configureGlobal({ seed: drawSeed, numRuns: isWhole ? 100 : 20, defaultSizeToMaxWhenMaxSpecified: true });
