import type { LeanCoverage, LeanLane, LeanOutcome, LeanRecording } from '@tutti/ethereum/lean';

/** Job together with the position of its prover. */
export type LaneJob = LeanLane['jobs'][number] & { readonly position: number; readonly isMerge: boolean };

/** State of a strategy's slot at a moment. */
export interface LeanMoment {
  readonly coverage: LeanCoverage;
  /** Number of finished merges; at the end, including those that will not finish. */
  readonly merges: number;
  /** Number of finished merges that were wasted. */
  readonly wasted: number;
  /** Number of busy provers. */
  readonly busy: number;
}

export function jobsOf({ lanes, proofs }: LeanRecording): LaneJob[] {
  return lanes.flatMap(({ position, jobs }) =>
    jobs.map((job) => ({ ...job, position, isMerge: proofs[job.proof]!.children.length > 0 })),
  );
}

/** Returns the look of a job at a time, or undefined before its start. Its outcome is shown once the job is over. */
export function lookOf(job: LaneJob, timeMs: number, slotMs: number): JobLook | undefined {
  if (timeMs < job.startMs) return undefined;
  if (timeMs < Math.min(job.endMs, slotMs)) return 'running';
  return job.outcome === 'useful' ? (job.isMerge ? 'merge' : 'leaf') : job.outcome;
}
export type JobLook = 'running' | 'leaf' | 'merge' | Exclude<LeanOutcome, 'useful'>;

export function momentOf(recording: LeanRecording, jobs: readonly LaneJob[], timeMs: number): LeanMoment {
  const { coverage, slotMs } = recording;
  const over = jobs.filter(({ isMerge, endMs }) => isMerge && Math.min(endMs, slotMs) <= timeMs);
  return {
    coverage: coverage.findLast(({ atMs }) => atMs <= timeMs) ?? coverage[0]!,
    merges: over.length,
    wasted: over.filter(({ outcome }) => outcome !== 'useful').length,
    busy: jobs.filter(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs).length,
  };
}

/** Returns a short text for the subnets whose votes a proof contains: "3", "0–3", "1, 4", "5 of 8". */
export function subnetsWords(shares: readonly number[]): string {
  const inIt = shares.flatMap((share, subnet) => (share > 0 ? [subnet] : []));
  const [first, second] = inIt;
  const last = inIt.at(-1);
  if (first === undefined) return 'none';
  if (inIt.length === 1) return String(first);
  if (last! - first === inIt.length - 1) return `${first}–${last}`;
  return inIt.length === 2 ? `${first}, ${second}` : `${inIt.length} of ${shares.length}`;
}
