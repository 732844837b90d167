import { proveMs } from '../costs.ts';
import { countNewVotes } from '../rules/voteSet.ts';
import type { LeanProof } from '../world.ts';
import type { LeanJob } from './aggregator.ts';
import type { JobOutcome } from './result.ts';
import type { LeanSlotRun } from './run.ts';

/** Where the proof was that made another one a duplicate, when the prover began with that. */
const duplicateTimes = ['held', 'on its way', 'being made', 'not begun'] as const;
export type DuplicateTime = (typeof duplicateTimes)[number];

/**
 * Why a prover's work is in no block.
 *
 * - `same`: a proof that was finished before had all of its votes; `when` says what its prover could know of that.
 * - `not ready`: the slot was over first. `not there`: it was published, and the proposer had not verified it in time.
 * - `covered`: the proposer has it, and takes `proofs` for its votes.
 * - `held back`: its maker publishes it only in the next slot, at `dueMs` since this one began. `unused`: it was not
 *   published, and went into no proof of the block. `other message`: validators signed two messages, and this is the other.
 */
export type LeanVain =
  | { readonly why: 'same'; readonly proof: number; readonly when: DuplicateTime }
  | { readonly why: 'not ready' | 'not there' | 'unused' | 'other message' }
  | { readonly why: 'held back'; readonly dueMs: number }
  | { readonly why: 'covered'; readonly proofs: readonly number[] };

/** @returns undefined for work that is on its way into the block. @param block the proofs that the proposer takes. */
export function vainOf(
  run: LeanSlotRun,
  job: LeanJob,
  { outcome, behind }: JobOutcome,
  block: readonly LeanProof[],
): LeanVain | undefined {
  if (outcome === 'useful') return undefined;
  if (outcome === 'duplicate') return { why: 'same', proof: behind!.id, when: duplicateTime(run, job, behind!) };
  const deadlineUs = 1000 * Math.max(...run.scenario.deadlinesMs);
  if (job.proof.isSecond) return { why: 'other message' };
  if (outcome === 'late') return { why: job.endUs > deadlineUs ? 'not ready' : 'not there' };
  const dueUs = run.aggregators[job.position]!.due.get(job.proof) ?? 0;
  if (dueUs > deadlineUs) return { why: 'held back', dueMs: dueUs / 1000 };
  if (!run.published.has(job.proof)) return { why: 'unused' };
  const taken = block.filter(({ votes, size }) => countNewVotes(votes, job.proof.votes) < size);
  return { why: 'covered', proofs: taken.map(({ id }) => id) };
}

function duplicateTime({ jobs, verified }: LeanSlotRun, job: LeanJob, behind: LeanProof): DuplicateTime {
  const held = verified[job.position]!.find(({ proof }) => proof === behind);
  if (held !== undefined && held.atUs <= job.startUs) return 'held';
  const other = jobs.find(({ proof }) => proof === behind)!;
  if (other.endUs <= job.startUs) return 'on its way';
  return other.startUs <= job.startUs ? 'being made' : 'not begun';
}

/** What the proposer's own machine needs to merge proofs to one, by as few merges as its prover allows, ms. */
export function messageMergeMs({ scenario }: LeanSlotRun, proofs: number): number {
  const { prover, cores, limits } = scenario.profile;
  let left = proofs;
  let ms = 0;
  while (left > 1) {
    const children = Math.min(left, limits.proverChildren);
    ms += proveMs(prover, 0, children, cores);
    left -= children - 1;
  }
  return ms;
}
