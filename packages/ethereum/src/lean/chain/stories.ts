import { leanProfiles } from '../profile.ts';
import type { LeanScenario } from '../slot/scenario.ts';
import { LeanChain, type LeanChainOptions } from './chain.ts';
import { ProofsOfSlots } from './prover.ts';

const profile = leanProfiles['lean-2026-09']!;

/** A chain without faults: one proof of all votes takes half a second. */
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
  proposerProof: 'merged',
  bringMs: 200,
  seed: 1,
};

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
const subnets: LeanChainOptions = { ...steadyChain, slots: 256, committees: 4 };

/**
 * Chain options by name. Most of them reproduce conditions that halted devnets.
 *
 * - `steady`: no faults.
 * - `budget` (gean#398, #399): one aggregator with 1.6 s per slot, whose proofs gradually take three times as long.
 *   Each slot that is not finalised leaves a group behind, and the backlog uses up the rest of the budget.
 *   `budget-bound`: the aggregator does not begin a proof that cannot end in time.
 * - `slow` (gean#371, #425, #433): fifteen nodes on one host, with proofs of 5.3 s on average, late votes, and one
 *   dispatch per slot. `slow-always`: a worker that continuously looks for jobs and discards no proof.
 * - `single` (leanSpec#747, #748): two aggregators whose proofs take 10.8 s. One vote of each group arrives again and
 *   is proved alone. `single-skipped`: the repeated vote is not proved.
 * - `long`, `long-cap` (gean#401): proofs permanently exceed the budget, without and with a limit on the backlog.
 * - `blocks`: the proposer merges on a slow machine, so blocks arrive after the votes, which are then for old heads.
 *   `blocks-late`: blocks arrive after their slots and fork the chain. `blocks-outside`, `blocks-adopted`: the other
 *   methods of {@link LeanChainOptions.blockProof}.
 * - `subnets` (ethlambda#505): four subnets, each with its own proofs, which the proposer merges. `subnets-most-votes`,
 *   `subnets-most-new`: the proposer takes one of the proofs.
 */
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
  'blocks-late': { ...blocks, blockTimes: 1.5 },
  'blocks-outside': { ...blocks, blockProof: 'signature-outside' },
  'blocks-adopted': { ...blocks, blockProof: 'adopted' },
  subnets,
  'subnets-most-votes': { ...subnets, proposerProof: 'most-votes' },
  'subnets-most-new': { ...subnets, proposerProof: 'most-new' },
};
/** Names of all {@link leanStories}. */
export const leanStoryNames = Object.keys(leanStories);

/**
 * Returns a chain of consecutive slots that are fully simulated, with Byzantine aggregators at the same positions in
 * each slot, except for the placement `owners`, which depends on the slot. A block contains every proof that its
 * proposer has verified. If a slot's votes are split over two messages, its proofs are split in the same way.
 */
export function slotsInRow(scenario: LeanScenario, slots: number): LeanChain {
  const { profile, seed } = scenario;
  const options = { ...steadyChain, profile, slots, seed, validators: profile.validators, bringMs: 0 };
  return new LeanChain(options, [new ProofsOfSlots(scenario)]);
}
