import type { LeanRecording } from '@tutti/ethereum/lean';
import { html, render } from 'lit-html';
import { jobsOf, type LaneJob } from './leanMoment.ts';
import { jobWords, strategyWords } from './leanText.ts';

/**
 * Returns the wasted merges of a recording, in order of time. Merges whose votes an earlier proof contained come first,
 * because they are the simplest to explain.
 */
export function wastedMerges(recording: LeanRecording): LaneJob[] {
  const wasted = jobsOf(recording).filter(({ isMerge, outcome }) => isMerge && outcome !== 'useful');
  const rank = ({ outcome }: LaneJob) => (outcome === 'duplicate' ? 0 : 1);
  return wasted.sort((a, b) => rank(a) - rank(b) || a.endMs - b.endMs);
}

/** Returns the times at which proofs are done, µs. */
export function endsUs(recordings: readonly LeanRecording[]): number[] {
  const ends = recordings.flatMap((recording) =>
    jobsOf(recording).flatMap(({ endMs }) => (endMs <= recording.slotMs ? [Math.round(1000 * endMs)] : [])),
  );
  return [...new Set(ends)].sort((a, b) => a - b);
}

/** Returns the curve of the strategy with the most votes. */
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

/** Explains the outcome of a job, or states that no job is chosen. */
export function drawWhy(host: HTMLElement, recording: LeanRecording | undefined, job: LaneJob | undefined): void {
  host.dataset.outcome = job?.outcome ?? '';
  if (job === undefined || recording === undefined) {
    render(html`<p class="sub">Nothing is chosen.</p>`, host);
    return;
  }
  const [did, became] = jobWords(recording, job);
  render(
    html`<h3>${strategyWords[recording.strategy].title}, prover ${job.position}</h3><p>${did}</p><p class="became">${became}</p>`,
    host,
  );
}
