import fc from 'fast-check';
import { drawSeed, isWhole } from './sampled.ts';

/** All properties use one seed, so that they are reproducible. Each runs 20 cases, and 100 in CI. */
fc.configureGlobal({ seed: drawSeed, numRuns: isWhole ? 100 : 20 });
