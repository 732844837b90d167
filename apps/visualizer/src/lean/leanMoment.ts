import type { LeanCoverage, LeanLane, LeanOutcome, LeanRecording, LeanStrategy, Summary } from '@tutti/ethereum/lean';

/** Job with the position of its prover. A job that is not a merge proves votes only. */
export type LaneJob = LeanLane['jobs'][number] & { readonly position: number; readonly isMerge: boolean };

/** State of a strategy's slot at a moment. */
interface LeanMoment {
  readonly coverage: LeanCoverage;
  /** Number of finished merges. From the end of the slot on, this number also includes unfinished merges. */
  readonly merges: number;
  /** Number of these merges that were wasted. */
  readonly wasted: number;
  /** Number of busy provers. */
  readonly busy: number;
}

/** Returns the jobs of all provers, prover by prover. */
export function jobsOf({ lanes, proofs }: LeanRecording): LaneJob[] {
  return lanes.flatMap(({ position, jobs }) =>
    jobs.map((job) => ({ ...job, position, isMerge: proofs[job.proof]!.children.length > 0 })),
  );
}

/** Look of a job's bar: in progress, or the job's outcome. */
export type JobLook = 'running' | 'leaf' | 'merge' | Exclude<LeanOutcome, 'useful'>;

/**
 * Returns the look of a job at a given time; undefined before the job starts. From the end of the job or of the slot
 * on, the look shows the outcome.
 */
export function lookOf(job: LaneJob, timeMs: number, slotMs: number): JobLook | undefined {
  if (timeMs < job.startMs) return undefined;
  if (timeMs < Math.min(job.endMs, slotMs)) return 'running';
  return job.outcome === 'useful' ? (job.isMerge ? 'merge' : 'leaf') : job.outcome;
}

/** Returns the votes in the proofs that the next proposer has verified by a given time. */
export function coverageAt({ coverage }: LeanRecording, timeMs: number): LeanCoverage {
  return coverage.findLast(({ atMs }) => atMs <= timeMs) ?? coverage[0]!;
}

/** Returns the state of a slot at a time. @param jobs all jobs of the recording, as {@link jobsOf} returns them. */
export function momentOf(recording: LeanRecording, jobs: readonly LaneJob[], timeMs: number): LeanMoment {
  const { slotMs } = recording;
  const over = jobs.filter(({ isMerge, endMs }) => isMerge && Math.min(endMs, slotMs) <= timeMs);
  return {
    coverage: coverageAt(recording, timeMs),
    merges: over.length,
    wasted: over.filter(({ outcome }) => outcome !== 'useful').length,
    busy: jobs.filter(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs).length,
  };
}

/** Returns a short text for the subnets whose votes are in a proof: "3", "0–3", "1, 4", "5 of 8". */
export function subnetsWords(shares: readonly number[]): string {
  const { first, last, count } = subnetsIn(shares);
  if (count <= 1) return count === 0 ? 'none' : String(first);
  if (last - first === count - 1) return `${first}–${last}`;
  return count === 2 ? `${first}, ${last}` : `${count} of ${shares.length}`;
}

/**
 * Returns the text for a proof's subnets within a sentence: "subnet 3", "subnets 0–3", "subnets 1, 4", "5 of 8
 * subnets".
 */
export function subnetsPhrase(shares: readonly number[]): string {
  const { first, last, count } = subnetsIn(shares);
  const words = subnetsWords(shares);
  if (count <= 1) return count === 0 ? 'no subnet' : `subnet ${words}`;
  return count <= 2 || last - first === count - 1 ? `subnets ${words}` : `${words} subnets`;
}

/** Returns the first and the last subnet whose votes are in a proof, and the number of such subnets. */
function subnetsIn(shares: readonly number[]): { first: number; last: number; count: number } {
  const count = shares.filter((share) => share > 0).length;
  return {
    first: shares.findIndex((share) => share > 0),
    last: shares.findLastIndex((share) => share > 0),
    count,
  };
}

/**
 * Returns the wasted merges of a recording, ordered by reason and then by time. Merges whose votes were already in an
 * earlier proof come first, because they are the simplest to explain.
 */
export function wastedMerges(recording: LeanRecording): LaneJob[] {
  const wasted = jobsOf(recording).filter(({ isMerge, outcome }) => isMerge && outcome !== 'useful');
  const rank = ({ outcome }: LaneJob) => (outcome === 'duplicate' ? 0 : 1);
  return wasted.sort((a, b) => rank(a) - rank(b) || a.endMs - b.endMs);
}

/**
 * Returns the wasted merge after a given one, one recording after another. After the last wasted merge, and for a job
 * that is not a wasted merge, returns the first; undefined if no merge was wasted.
 */
export function nextWasted(
  recordings: readonly LeanRecording[],
  asked: { readonly strategy: LeanStrategy; readonly proof: number } | undefined,
): { readonly recording: LeanRecording; readonly job: LaneJob } | undefined {
  const all = recordings.flatMap((recording) => wastedMerges(recording).map((job) => ({ recording, job })));
  const now = all.findIndex(
    ({ recording, job }) => recording.strategy === asked?.strategy && job.proof === asked.proof,
  );
  return all[(now + 1) % all.length];
}

/** Returns the times at which proofs are finished within the slot, µs, ascending. */
export function endsUs(recordings: readonly LeanRecording[]): number[] {
  const ends = recordings.flatMap((recording) =>
    jobsOf(recording).flatMap(({ endMs }) => (endMs <= recording.slotMs ? [Math.round(1000 * endMs)] : [])),
  );
  return [...new Set(ends)].sort((a, b) => a - b);
}

/** Returns the curve on the player's track: the share of proved votes over time, for the best strategy. */
export function curveOf(recordings: readonly LeanRecording[]): [number, number][] {
  const max = (one: LeanRecording) => one.coverage.at(-1)!.pooled;
  const { coverage, slotMs } = recordings.reduce((a, b) => (max(b) > max(a) ? b : a));
  const steps = coverage.flatMap(({ atMs, pooled }, at): [number, number][] => {
    const before = coverage[at - 1]?.pooled ?? 0;
    const time = Math.min(1, atMs / slotMs);
    return [
      [time, before],
      [time, pooled],
    ];
  });
  return [...steps, [1, coverage.at(-1)!.pooled]];
}

/** Results of a strategy in one slot. */
export interface LeanOutcomeRow {
  readonly strategy: LeanStrategy;
  /** Share of the votes that a node has verified by the end of the slot, over all nodes that could propose. */
  readonly votes: Summary;
  /** Number of nodes that could propose. */
  readonly nodes: number;
  /** Number of proofs in the drawn proposer's block. */
  readonly proofs: number;
  /** Time that this proposer needs to merge its proofs, ms. */
  readonly mergeMs: number;
  readonly merges: number;
  /** Number of wasted merges. `duplicate`, `late` and `superseded` are the numbers of merges with each outcome. */
  readonly wasted: number;
  readonly duplicate: number;
  readonly late: number;
  readonly superseded: number;
  /** Total time of all jobs, s. */
  readonly proverSeconds: number;
  /** Total time of all wasted jobs, s. */
  readonly wastedSeconds: number;
}

/** Counts the proofs, the merges and the wasted merges of a recorded slot. */
export function outcomeOf(recording: LeanRecording): LeanOutcomeRow {
  const jobs = jobsOf(recording);
  const merges = jobs.filter(({ isMerge }) => isMerge);
  const mergesWith = (of: LeanOutcome) => merges.filter(({ outcome }) => outcome === of).length;
  const seconds = (some: readonly LaneJob[]) =>
    some.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
  return {
    strategy: recording.strategy,
    votes: recording.proposers.pooled,
    nodes: recording.proposers.nodes,
    proofs: recording.block.proofs.length,
    mergeMs: recording.block.mergeMs,
    merges: merges.length,
    wasted: merges.length - mergesWith('useful'),
    duplicate: mergesWith('duplicate'),
    late: mergesWith('late'),
    superseded: mergesWith('superseded'),
    proverSeconds: seconds(jobs),
    wastedSeconds: seconds(jobs.filter(({ outcome }) => outcome !== 'useful')),
  };
}
