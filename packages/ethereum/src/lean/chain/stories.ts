import { leanProfiles } from '../profiles.ts';
import type { LeanChainOptions } from './chain.ts';

const profile = leanProfiles['lean-2026-09']!;

/** A chain in good order: one proof of all votes in half a second. */
export const steadyChain: LeanChainOptions = {
  profile,
  slots: 64,
  validators: 64,
  committees: 1,
  proofMs: 500,
  rampTimes: 1,
  dispatch: 'interval-2',
  order: 'newest',
  keptUntil: 'justified',
  refusesLate: false,
  votesReadyMs: [900, 1500],
  blockTimes: 0.2,
  blockProof: 'with-signature',
  bringMs: 200,
  seed: 1,
};

/**
 * What halted devnets, as scenarios.
 *
 * - `budget` (gean#398, #399): one aggregator with 1.6 s a slot, whose proofs come to take twice as long; slots that are
 *   not final leave a group behind, and the backlog fills what is left of the budget.
 * - `budget-bound`: the same, and a proof that cannot end in time is not begun.
 * - `slow` (gean#371, #425, #433): fifteen nodes on one host: proofs of 5.3 s in the mean, votes that come late, one
 *   dispatch a slot. `slow-always`: a worker that is always on.
 * - `single` (leanSpec#747, #748): two aggregators whose proofs take 10.8 s; of each group one vote comes once more, and is
 *   proved alone. `single-skipped`: it is not.
 * - `long`, `long-cap` (gean#401): a budget that the proofs outgrow for good, without and with a backlog that is cut off.
 * - `blocks`: the proposer's merge on a slow machine: blocks come after the votes, which then are for old heads.
 *   `blocks-outside` (ethlambda#471), `blocks-adopted` (ethlambda#604): the same with another proof of the block.
 */
const budget: LeanChainOptions = {
  ...steadyChain,
  slots: 512,
  proofMs: 800,
  rampTimes: 3,
  order: 'oldest',
  keptUntil: 'final',
  budgetMs: 1600,
  blockTimes: 0.3,
};
const single: LeanChainOptions = {
  ...steadyChain,
  slots: 150,
  committees: 2,
  proofMs: 10_800,
  order: 'oldest',
};
const long: LeanChainOptions = { ...budget, slots: 1536, proofMs: 1600, rampTimes: 4 };
const slow: LeanChainOptions = {
  ...steadyChain,
  slots: 2048,
  proofMs: 5300,
  proofMaxMs: 10_500,
  votesReadyMs: [800, 2500],
  committees: 4,
  expiryMs: 5200,
  jobsOfSession: 1,
};

const { expiryMs: _, ...withoutExpiry } = slow;

const blocks: LeanChainOptions = { ...steadyChain, slots: 256, blockTimes: 0.6 };

export const leanStories: Readonly<Record<string, LeanChainOptions>> = {
  steady: steadyChain,
  budget,
  'budget-bound': { ...budget, refusesLate: true },
  slow,
  'slow-always': { ...withoutExpiry, dispatch: 'always' },
  single: { ...single, strays: true },
  'single-skipped': single,
  long,
  'long-cap': { ...long, backlogSlots: 128 },
  blocks,
  'blocks-outside': { ...blocks, blockProof: 'signature-outside' },
  'blocks-adopted': { ...blocks, blockProof: 'adopted' },
};
export const leanStoryNames = Object.keys(leanStories);
