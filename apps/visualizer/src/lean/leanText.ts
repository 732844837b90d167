import {
  type LeanRecording,
  type LeanRival,
  type LeanStart,
  leafShareOf,
  type RecordedProof,
} from '@tutti/ethereum/lean';
import { count } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import { jobsOf, type LaneJob, momentOf, subnetsWords } from './leanMoment.ts';
import { type LeanState, leanScenarioOf } from './leanState.ts';

/** Titles of the strategies on the page, with their division of work. */
export const rivalWords: Readonly<Record<LeanRival, { readonly title: string; readonly how: string }>> = {
  spec: { title: 'leanSpec', how: 'Each aggregator proves once, at interval 2; the proposer is to merge the rest.' },
  greedy: { title: 'Greedy pairs', how: 'Everybody merges the two proofs that add most, again and again.' },
  window: {
    title: 'Windows',
    how: 'As greedy, among the subnets of a window that doubles with what one holds (ethlambda).',
  },
  'window-skip': {
    title: 'Windows, skipping',
    how: 'As windows, but only one aggregator of each width merges in a slot (ethlambda’s flag).',
  },
  gossip: { title: 'BEAMSIM, gossip', how: 'Two global aggregators merge once, at two thirds; proofs come by gossip.' },
  direct: { title: 'BEAMSIM, direct', how: 'Two global aggregators merge once, at two thirds; proofs come straight.' },
  grid: { title: 'BEAMSIM, grid', how: 'Two global aggregators merge once, at two thirds; proofs come over a grid.' },
  super: { title: 'Super-aggregators', how: 'Two serve all subnets, and merge as much as the time allows at once.' },
  tree: { title: 'Fixed tree', how: 'A tree of merges, each with one owner who is always the same.' },
  halving: { title: 'Halving levels', how: 'Levels that double; everybody makes the merges of its own half.' },
  'halving-owners': {
    title: 'Halving levels with owners',
    how: 'Levels that double; each half is merged by one owner, by its successor if that is silent.',
  },
};

/** Descriptions of the start rules in the form. */
export const startWords: Readonly<Record<LeanStart, string>> = {
  session: 'at two thirds, once a slot',
  always: 'at two thirds of the votes',
  free: 'as late as the others',
};

export function percent(share: number): string {
  return `${Math.round(100 * share)}\u00a0%`;
}

export function slotTime(ms: number): string {
  return `${(ms / 1000).toFixed(2)}\u00a0s`;
}

function merges(number: number): string {
  return number === 1 ? '1 merge' : `${count(number)} merges`;
}

function proofs(number: number): string {
  return number === 1 ? '1 proof' : `${count(number)} proofs`;
}

/** Describes a prover. */
function proverWords({ lanes }: LeanRecording, position: number): string {
  return `prover ${position} (subnet ${lanes[position]!.subnet})`;
}

function votesWords({ shares }: RecordedProof): string {
  const words = subnetsWords(shares);
  return /^\d+$/.test(words) ? `subnet ${words}` : words.includes('of') ? `${words} subnets` : `subnets ${words}`;
}

/** A job in words: what its prover did, and what became of it. */
export function jobWords(recording: LeanRecording, job: LaneJob): string[] {
  const proof = recording.proofs[job.proof]!;
  const who = proverWords(recording, job.position);
  const seconds = slotTime(job.endMs - job.startMs);
  const children = proof.children.map((id) => `one of ${votesWords(recording.proofs[id]!)}`);
  const raw = proof.rawVotes === 0 ? [] : [`${count(proof.rawVotes)} votes that were in no proof`];
  const what = job.isMerge
    ? `merged ${[...children.map((words, at) => (at === 0 ? words.replace('one', 'a proof') : words)), ...raw].join(' and ')}`
    : `proved ${count(proof.rawVotes)} votes of ${votesWords(proof)}`;
  const did = `From ${slotTime(job.startMs)} on, for ${seconds}, ${who} ${what}.`;
  return [did, becameWords(recording, job)];
}

function becameWords(recording: LeanRecording, job: LaneJob): string {
  const { vain } = job;
  if (vain === null) {
    return recording.block.proofs.includes(job.proof)
      ? 'Not in vain: it is one of the proofs that the next proposer takes into its block.'
      : 'Not in vain: what the next proposer takes into its block is made of it.';
  }
  switch (vain.why) {
    case 'same':
      return `In vain: ${proverWords(recording, recording.proofs[vain.proof]!.by)} had finished a proof with all of these votes before. ${knewWords(recording, job, vain)}`;
    case 'not ready':
      return `In vain: it was ready at ${slotTime(job.endMs)}, when the slot was over. A job once begun is not broken off.`;
    case 'not there':
      return 'In vain: it was published, but the next proposer had not received and verified it when the slot was over.';
    case 'held back':
      return `In vain for this block: it was ready at ${slotTime(job.endMs)}, and its maker publishes it at ${slotTime(vain.dueMs)}, in the next slot: outside of the interval for proofs it holds them back.`;
    case 'unused':
      return 'In vain: it was not published, and nobody made a proof of the block from it.';
    case 'other message':
      return 'In vain: validators had signed two messages, and this proof is of the other one. It is one more thing to prove for all.';
    case 'covered':
      return `In vain: the next proposer has it, but takes ${vain.proofs.length === 1 ? 'another one' : `${vain.proofs.length} others`} for its votes, which ${vain.proofs.length === 1 ? 'has' : 'have'} more.`;
  }
}

function knewWords(
  recording: LeanRecording,
  job: LaneJob,
  { proof, when }: Extract<LaneJob['vain'], { why: 'same' }>,
): string {
  const by = `prover ${recording.proofs[proof]!.by}`;
  switch (when) {
    case 'held':
      return `It held that proof already when it began.`;
    case 'on its way':
      return `That proof was made, but had not come to it when it began at ${slotTime(job.startMs)}.`;
    case 'being made':
      return `When it began, ${by} was at work on that already, and nothing had told it so.`;
    case 'not begun':
      return `When it began, ${by} had not: a machine or a smaller merge was faster.`;
  }
}

/** Result of a strategy. */
export interface LeanOutcomeRow {
  readonly rival: LeanRival;
  readonly covered: number;
  /** Time at which the proposer had as much, ms. */
  readonly reachedMs: number;
  readonly proofs: number;
  readonly mergeMs: number;
  readonly merges: number;
  readonly vain: number;
  readonly proverSeconds: number;
  readonly vainSeconds: number;
}

export function outcomeOf(recording: LeanRecording): LeanOutcomeRow {
  const jobs = jobsOf(recording);
  const end = momentOf(recording, jobs, recording.slotMs);
  const seconds = (some: readonly LaneJob[]) =>
    some.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
  return {
    rival: recording.rival,
    covered: end.coverage.pooled,
    reachedMs: recording.coverage.find(({ pooled }) => pooled === end.coverage.pooled)!.atMs,
    proofs: recording.block.proofs.length,
    mergeMs: recording.block.mergeMs,
    merges: jobs.filter(({ isMerge }) => isMerge).length,
    vain: jobs.filter(({ isMerge, outcome }) => isMerge && outcome !== 'useful').length,
    proverSeconds: seconds(jobs),
    vainSeconds: seconds(jobs.filter(({ outcome }) => outcome !== 'useful')),
  };
}

/**
 * Describes the slot in a sentence: the strategy that brought most to the proposer in fewest proofs, and the one with
 * most wasted work.
 */
export function verdictWords(state: LeanState, rows: readonly LeanOutcomeRow[]): string {
  const { subnets, cores, silent } = state;
  const [first, ...others] = rows;
  if (first === undefined) return '';
  const better = (a: LeanOutcomeRow, b: LeanOutcomeRow): LeanOutcomeRow => {
    const by = Math.round(100 * a.covered) - Math.round(100 * b.covered) || b.proofs - a.proofs;
    return (by || b.proverSeconds - a.proverSeconds) < 0 ? b : a;
  };
  const best = others.reduce(better, first);
  const worst = others.reduce((a, b) => (b.vain > a.vain ? b : a), first);
  const silence = silent === 0 ? '' : `, ${silent}\u00a0% of the aggregators silent`;
  const toMerge = best.proofs > 1 ? `, which would take it ${slotTime(best.mergeMs)} more to merge to one` : '';
  const has = `${subnets} subnets, ${cores} cores${silence}: with ${title(best)} the next proposer has ${percent(best.covered)} of the votes by ${slotTime(best.reachedMs)}, after ${merges(best.merges)}, in ${proofs(best.proofs)}${toMerge}`;
  if (worst.vain === 0) return `${has}. No merge was in vain.`;
  const wasted = `${worst.vain === worst.merges ? 'all' : count(worst.vain)} of them in vain`;
  if (worst === best) return `${has}; ${wasted}.`;
  return `${has}; ${title(worst)} began ${merges(worst.merges)}, ${worst.merges === 1 ? 'in vain' : wasted}, and brought it ${percent(worst.covered)}${sharesWords(state, worst, best)}.`;
}

/** Describes another difference between two strategies: the shares of a subnet's votes with which they began. */
function sharesWords(state: LeanState, one: LeanOutcomeRow, other: LeanOutcomeRow): string {
  const [share, otherShare] = [one, other].map(({ rival }) => leafShareOf(leanScenarioOf(state, rival)));
  if (share === undefined || otherShare === undefined || share === otherShare) return '';
  return `, having begun with ${percent(share)} of a subnet’s votes, not ${percent(otherShare)}`;
}

function title({ rival }: { rival: LeanRival }): string {
  return rivalWords[rival].title;
}

/**
 * Returns the slot's story: its five intervals, the wasted merge that the user asked about or the first one, and the
 * end.
 */
export function leanChapters(state: LeanState, recordings: readonly LeanRecording[], end: string): Chapter[] {
  const [first] = recordings;
  if (first === undefined) return [];
  const { intervalsMs, validators, subnets, slotMs } = first;
  const has = (atMs: number) =>
    recordings.map((one) => `${title(one)} ${percent(momentOf(one, [], atMs).coverage.pooled)}`).join(', ');
  const texts: readonly (readonly [string, (atMs: number) => string])[] = [
    [
      'A block',
      () =>
        `A block is out. ${count(validators)} validators in ${subnets} subnets check it; ${count(subnets * state.each)} aggregators, ${state.each} for each subnet, will prove their votes to the proposer of the next block.`,
    ],
    [
      'Votes',
      () =>
        `Everybody votes, once, on its own subnet. An aggregator takes in its subnet’s ${count(validators / subnets)} votes, and proves them in the interval for proofs at the latest: ${beginsWords(state, recordings)}.`,
    ],
    [
      'Proofs',
      () =>
        `The interval for proofs. A bar is a prover at work; a number in it says which subnets’ votes it proves. Whoever holds two proofs may merge them to one, and no prover can break off what it has begun.`,
    ],
    ['Safe target', (atMs) => `Clients count what is proved by now. The next proposer has verified: ${has(atMs)}.`],
    [
      'Known',
      (atMs) => `What came until now is known to all, and counts for the head. The next proposer has: ${has(atMs)}.`,
    ],
  ];
  const told = intervalsMs.flatMap((atMs, at) =>
    texts.slice(at, at + 1).map(([name, text]) => ({ timeUs: 1000 * atMs, title: name, text: text(atMs) })),
  );
  const wasted = vainChapter(state, recordings);
  if (wasted !== undefined) told.push(wasted);
  told.push({ timeUs: 1000 * slotMs, title: 'The end', text: end });
  return told.sort((a, b) => a.timeUs - b.timeUs).filter(({ timeUs }, at) => timeUs !== told[at + 1]?.timeUs);
}

/** Describes the number of votes with which each strategy begins to prove. */
function beginsWords(state: LeanState, recordings: readonly LeanRecording[]): string {
  const shares = recordings.map(({ rival }) => leafShareOf(leanScenarioOf(state, rival)));
  const all = [...new Set(shares)].sort((a, b) => (a ?? 2) - (b ?? 2));
  return all
    .map((share) => {
      const who = recordings.filter((_, place) => shares[place] === share).map(title);
      const when = share === undefined ? 'no sooner' : `sooner with ${percent(share)} of them`;
      return all.length === 1 ? when : `${when} (${who.join('; ')})`;
    })
    .join(', ');
}

function vainChapter({ asked }: LeanState, recordings: readonly LeanRecording[]): Chapter | undefined {
  const all = recordings.flatMap((recording) =>
    jobsOf(recording)
      .filter(({ isMerge, outcome, endMs }) => isMerge && outcome === 'duplicate' && endMs < recording.slotMs)
      .map((job) => ({ recording, job })),
  );
  // Beside the answer about another one, the first would be a second answer.
  const told =
    asked === undefined
      ? all.sort((a, b) => a.job.endMs - b.job.endMs)[0]
      : all.find(({ recording, job }) => recording.rival === asked.rival && job.proof === asked.proof);
  if (told === undefined) return undefined;
  const { recording, job } = told;
  const text = `${title(recording)}: ${becameWords(recording, job).replace('In vain:', `${proverWords(recording, job.position)} finishes a merge in vain:`)}`;
  return { timeUs: Math.round(1000 * job.endMs), title: 'In vain', text };
}
