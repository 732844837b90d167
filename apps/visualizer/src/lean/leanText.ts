import {
  isAbove,
  type LeanRecording,
  type LeanStart,
  type LeanStrategy,
  leafShareOf,
  type Summary,
} from '@tutti/ethereum/lean';
import { capital, count, counted, percent as percentOf, seconds } from '../formatNumber.ts';
import { type Chapter, lastPerMoment } from '../guide/chapter.ts';
import { coverageAt, jobsOf, type LaneJob, type LeanOutcomeRow, subnetsPhrase } from './leanMoment.ts';
import { type LeanState, leanScenarioOf } from './leanState.ts';

/** Titles of the strategies on the page, with descriptions of how the strategies divide the work. */
export const strategyWords: Readonly<Record<LeanStrategy, { readonly title: string; readonly how: string }>> = {
  spec: {
    title: 'leanSpec',
    how: 'Each aggregator creates one proof, in interval 2. The proposer merges the remaining proofs.',
  },
  greedy: { title: 'Greedy pairs', how: 'Each aggregator repeatedly merges the two proofs that add the most votes.' },
  window: {
    title: 'Windows',
    how: 'Like Greedy pairs, but only within a window of subnets. The window grows with the width of the proof (as in ethlambda).',
  },
  'window-skip': {
    title: 'Windows, skipping',
    how: 'Like Windows, but only one aggregator per width merges in each slot (an option of ethlambda).',
  },
  gossip: {
    title: 'BEAMSIM, gossip',
    how: 'Each of two global aggregators merges once, when it has two thirds of the votes. Proofs are sent by gossip.',
  },
  direct: {
    title: 'BEAMSIM, direct',
    how: 'Each of two global aggregators merges once, when it has two thirds of the votes. Proofs are sent directly.',
  },
  grid: {
    title: 'BEAMSIM, grid',
    how: 'Each of two global aggregators merges once, when it has two thirds of the votes. Proofs are sent over a grid of nodes.',
  },
  super: {
    title: 'Super-aggregators',
    how: 'Two aggregators serve all subnets. Each of their merges combines as many proofs as the time allows.',
  },
  tree: { title: 'Fixed tree', how: 'The merges form a tree. Each merge has one fixed owner.' },
  halving: {
    title: 'Halving levels',
    how: 'Each level is twice as wide as the previous one. Each aggregator performs the merges for its own half.',
  },
  'halving-owners': {
    title: 'Halving levels with owners',
    how: 'Each level is twice as wide as the previous one. One owner merges each half. If the owner is silent, a successor takes over.',
  },
};

/** Descriptions of the start rules in the form. */
export const startWords: Readonly<Record<LeanStart, string>> = {
  session: 'at two thirds of the votes, once per slot',
  always: 'at two thirds of the votes',
  free: 'at the same time as the other strategies',
};

/** Formats a share from 0 to 1 in whole percent. The result is 0 or 100 only for exact values. */
export function percent(share: number): string {
  return percentOf(share, 1);
}

/** Formats a time of a slot, given in ms, in seconds. */
export function slotTime(ms: number): string {
  return seconds(1000 * ms);
}

/** Describes a prover in words. */
function proverWords({ lanes }: LeanRecording, position: number): string {
  return `prover ${position} (subnet ${lanes[position]!.subnet})`;
}

/** Describes the work of a job's prover, and the job's outcome. */
export function jobWords(recording: LeanRecording, job: LaneJob): [work: string, outcome: string] {
  const proof = recording.proofs[job.proof]!;
  const who = proverWords(recording, job.position);
  const took = slotTime(job.endMs - job.startMs);
  const children = proof.children.map(
    (id, at) => `${at === 0 ? 'a proof' : 'one'} of ${subnetsPhrase(recording.proofs[id]!.shares)}`,
  );
  const raw = proof.rawVotes === 0 ? [] : [`${counted(proof.rawVotes, 'vote')} not yet in any proof`];
  const what = job.isMerge
    ? `merged ${[...children, ...raw].join(' and ')}`
    : `proved ${counted(proof.rawVotes, 'vote')} of ${subnetsPhrase(proof.shares)}`;
  const work = `${capital(who)} ${what}. The job started at ${slotTime(job.startMs)} and took ${took}.`;
  return [work, outcomeWords(recording, job)];
}

function outcomeWords(recording: LeanRecording, job: LaneJob): string {
  const { waste } = job;
  if (waste === null) {
    return recording.block.proofs.includes(job.proof)
      ? 'Useful: the next proposer includes this proof in its block.'
      : 'Useful: the next proposer’s block contains a proof that was built from this one.';
  }
  switch (waste.why) {
    case 'same':
      return `Wasted: ${sameWords(recording, job, waste)}`;
    case 'not ready':
      return `Wasted: the proof was ready at ${slotTime(job.endMs)}, after the end of the slot. A prover cannot interrupt a job.`;
    case 'not there':
      return 'Wasted: the proof was published, but the next proposer had not received and verified it by the end of the slot.';
    case 'held back':
      return `Wasted for this block: the proof was ready at ${slotTime(job.endMs)}, outside the interval for proofs. The prover publishes it in the next slot, at ${slotTime(waste.dueMs)}.`;
    case 'unused':
      return 'Wasted: the proof was not published, and no node used it for a proof in the block.';
    case 'other message':
      return 'Wasted: validators signed two different messages, and this proof is for the message that the block does not use. The second message adds work for all provers.';
    case 'covered':
      return `Wasted: the next proposer has this proof but uses ${waste.proofs.length === 1 ? 'another proof' : `${waste.proofs.length} other proofs`} with more votes instead.`;
  }
}

/** Waste of a proof whose votes were all in an earlier finished proof. */
type Duplicate = Extract<LaneJob['waste'], { why: 'same' }>;

/** Names the prover of the earlier proof, and states why the prover of the wasted job did not use that proof. */
function sameWords(recording: LeanRecording, job: LaneJob, waste: Duplicate): string {
  const earlier = proverWords(recording, recording.proofs[waste.proof]!.by);
  return `${earlier} had already finished a proof with all of these votes. ${knewWords(recording, job, waste)}`;
}

function knewWords(recording: LeanRecording, job: LaneJob, { proof, when }: Duplicate): string {
  const by = `prover ${recording.proofs[proof]!.by}`;
  switch (when) {
    case 'held':
      return 'This prover already held that proof when it started.';
    case 'on its way':
      return `That proof was finished, but this prover had not received it when it started at ${slotTime(job.startMs)}.`;
    case 'being made':
      return `When this prover started, ${by} was already working on that proof, but this prover had no way to know that.`;
    case 'not begun':
      return `When this prover started, ${by} had not started yet. It finished first because its machine was faster or its merge was smaller.`;
  }
}

/** Formats the mean, followed by p10 to p90 in brackets. Only an exact 1 is 100 %. */
export function spreadWords({ mean, p10, p90 }: Pick<Summary, 'mean' | 'p10' | 'p90'>): string {
  const unit = '\u00a0%';
  return `${percent(mean)} (${percent(p10).replace(unit, '')} to ${percent(p90)})`;
}

/**
 * Returns a summary of the slot: the votes of possible proposers under each strategy, the leading strategy if intervals
 * do not overlap, and the strategy with the most wasted merges.
 */
export function verdictWords(state: LeanState, rows: readonly LeanOutcomeRow[]): string {
  const { subnets, cores, silent, seed } = state;
  const [first, ...others] = rows;
  if (first === undefined) return '';
  const worst = others.reduce((a, b) => (b.wasted > a.wasted ? b : a), first);
  const best = others.reduce((a, b) => (b.votes.mean > a.votes.mean ? b : a), first);
  const machines = silent === 0 ? ` and ${cores} cores` : `, ${cores} cores and ${silent}\u00a0% silent aggregators`;
  const shares = rows.map((row) => `${title(row)} ${spreadWords(row.votes)}`).join(', ');
  const has = `With ${subnets} subnets${machines}, the ${count(first.nodes)} possible proposers have the following mean shares of the votes (p10 to p90) for seed ${seed}: ${shares}`;
  const said = `${has}.${aheadWords(rows)}`;
  if (worst.wasted === 0) return `${said} No merge was wasted.`;
  const wasted =
    worst.wasted === worst.merges
      ? `${worst.merges === 1 ? 'which was' : 'all of which were'} wasted`
      : `${count(worst.wasted)} of which ${worst.wasted === 1 ? 'was' : 'were'} wasted`;
  return `${said} ${title(worst)} started ${counted(worst.merges, 'merge')}, ${wasted}${worst === best ? '' : sharesWords(state, worst, best)}.`;
}

/**
 * Describes the strategy whose interval of votes lies above those of all others, or states that there is none. The text
 * begins with a space; it is empty for a single strategy.
 */
function aheadWords(rows: readonly LeanOutcomeRow[]): string {
  if (rows.length === 1) return '';
  const ahead = rows.find((row) => rows.every((other) => other === row || isAbove(row.votes, other.votes)));
  if (ahead === undefined) return ' No strategy is clearly better than all others, because the intervals overlap.';
  return ` ${title(ahead)} is better than all other strategies in this slot.`;
}

/**
 * Describes the share of a subnet's votes at which each of two strategies starts to prove. Returns an empty text if the
 * shares are equal or if a strategy has no such share.
 */
function sharesWords(state: LeanState, one: LeanOutcomeRow, other: LeanOutcomeRow): string {
  const [share, otherShare] = [one, other].map(({ strategy }) => leafShareOf(leanScenarioOf(state, strategy)));
  if (share === undefined || otherShare === undefined || share === otherShare) return '';
  return `; it started with ${percent(share)} of a subnet’s votes, whereas ${title(other)} started with ${percent(otherShare)}`;
}

function title({ strategy }: { strategy: LeanStrategy }): string {
  return strategyWords[strategy].title;
}

/**
 * Returns the chapters of a slot: the slot's five intervals, a wasted merge, and the end, in order of time. The wasted
 * merge is the one whose explanation is shown, or the first duplicate if no explanation is shown.
 *
 * @param end text of the last chapter.
 */
export function leanChapters(state: LeanState, recordings: readonly LeanRecording[], end: string): readonly Chapter[] {
  const [first] = recordings;
  if (first === undefined) return [];
  const { intervalsMs, slotMs } = first;
  const has = (atMs: number) =>
    recordings.map((one) => `${title(one)} ${percent(coverageAt(one, atMs).pooled)}`).join(', ');
  const verified = (atMs: number) => `Votes in the proofs that the next proposer has verified: ${has(atMs)}.`;
  const intervals: readonly (readonly [name: string, text: (atMs: number) => string])[] = [
    ['A block', () => blockText(state, first)],
    ['Votes', () => votesText(state, recordings)],
    ['Proofs', () => proofsText],
    ['Safe target', (atMs) => `Clients count the votes that have been proved so far. ${verified(atMs)}`],
    [
      'Known',
      (atMs) => `Clients now use the proofs that have arrived to choose the head of the chain. ${verified(atMs)}`,
    ],
  ];
  const chapters = intervalsMs.flatMap((atMs, at) =>
    intervals.slice(at, at + 1).map(([name, text]) => ({ timeUs: 1000 * atMs, title: name, text: text(atMs) })),
  );
  const wasted = wasteChapter(state, recordings);
  if (wasted !== undefined) chapters.push(wasted);
  chapters.push({ timeUs: 1000 * slotMs, title: 'The end', text: end });
  return lastPerMoment(chapters.toSorted((a, b) => a.timeUs - b.timeUs));
}

function blockText({ each }: LeanState, { validators, subnets }: LeanRecording): string {
  return `A block is published, and ${count(validators)} validators in ${subnets} subnets verify it. ${count(subnets * each)} aggregators, ${each} per subnet, create proofs of the votes for the proposer of the next block.`;
}

function votesText(state: LeanState, recordings: readonly LeanRecording[]): string {
  const { validators, subnets } = recordings[0]!;
  return `Each validator votes once, on its own subnet. An aggregator collects the ${count(validators / subnets)} votes from its subnet. It proves them no later than in the interval for proofs. It starts ${beginsWords(state, recordings)}.`;
}

const proofsText =
  'The interval for proofs starts. Each bar is a proof in progress, labelled with the subnet whose votes it proves. A prover that holds two proofs may merge them into one. It cannot interrupt a proof that it has begun.';

/** Describes the share of the votes with which each strategy starts to prove. */
function beginsWords(state: LeanState, recordings: readonly LeanRecording[]): string {
  const shares = recordings.map(({ strategy }) => leafShareOf(leanScenarioOf(state, strategy)));
  const all = [...new Set(shares)].sort((a, b) => (a ?? 2) - (b ?? 2));
  return all
    .map((share) => {
      const who = recordings.filter((_, place) => shares[place] === share).map(title);
      const when = share === undefined ? 'in that interval' : `as soon as ${percent(share)} of the votes have arrived`;
      return all.length === 1 ? when : `${when} (${who.join('; ')})`;
    })
    .join(', ');
}

function wasteChapter({ asked }: LeanState, recordings: readonly LeanRecording[]): Chapter | undefined {
  const all = recordings.flatMap((recording) =>
    jobsOf(recording).flatMap((job) =>
      job.isMerge && job.waste?.why === 'same' && job.endMs < recording.slotMs
        ? [{ recording, job, waste: job.waste }]
        : [],
    ),
  );
  // If another explanation is shown, the chapter is about that merge, or it is left out.
  const wasted =
    asked === undefined
      ? all.sort((a, b) => a.job.endMs - b.job.endMs)[0]
      : all.find(({ recording, job }) => recording.strategy === asked.strategy && job.proof === asked.proof);
  if (wasted === undefined) return undefined;
  const { recording, job, waste } = wasted;
  const prover = proverWords(recording, job.position);
  const text = `${title(recording)}: ${prover} finishes a wasted merge: ${sameWords(recording, job, waste)}`;
  return { timeUs: Math.round(1000 * job.endMs), title: 'Wasted', text };
}
