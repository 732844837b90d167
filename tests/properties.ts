import fc from 'fast-check';
import { drawSeed } from './sampled.ts';

/** One seed, so that a property that holds today holds tomorrow. */
fc.configureGlobal({ seed: drawSeed, numRuns: 100 });
