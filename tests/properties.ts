import fc from 'fast-check';

/**
 * One seed, so that a property that holds today holds tomorrow. To search elsewhere: TUTTI_FC_SEED=n npx vitest run.
 */
const seed = Number(process.env.TUTTI_FC_SEED ?? 20_200_619);

fc.configureGlobal({ seed, numRuns: 100 });
