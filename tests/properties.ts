import fc from 'fast-check';
import { drawSeed, isWhole } from './sampled.ts';

/**
 * All properties use the same seed, so that they are reproducible. Each property runs 20 cases, or 100 in CI. Lengths are
 * drawn up to the maximum that a property states; by default, the library draws at most about ten elements.
 */
fc.configureGlobal({ seed: drawSeed, numRuns: isWhole ? 100 : 20, defaultSizeToMaxWhenMaxSpecified: true });
