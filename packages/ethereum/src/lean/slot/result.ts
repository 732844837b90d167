import { chooseChildren, countNewVotes, countVotes, emptyVotes, joinVotes } from '../rules.ts';
import type { LeanProof } from '../world.ts';
import type { LeanJob } from './aggregator.ts';
import { LeanSlotRun } from './run.ts';
import type { LeanScenario } from './scenario.ts';

/**
 * Outcomes of a proof.
 *
 * - `useful`: it is on its way into the block.
 * - `duplicate`: another proof had all of its votes before.
 * - `late`: it was ready after the last deadline.
 * - `superseded`: the block has others in its place.
 */
export const leanOutcomes = ['useful', 'duplicate', 'late', 'superseded'] as const;
/** Name of one of {@link leanOutcomes}. */
export type LeanOutcome = (typeof leanOutcomes)[number];

/** Result of one simulated slot. Times are ms since the slot began. */
export interface LeanSlotResult {
  /** Share of all validators in the best proof that the next proposer has verified, by deadline in ms. */
  readonly covered: Readonly<Record<string, number>>;
  /** Share of all validators in all of these proofs together: the proposer's own merge could contain them. */
  readonly pooled: Readonly<Record<string, number>>;
  /**
   * Time until two thirds of the validators are in verified proofs, ms, for the median node and the last; null for
   * never.
   */
  readonly twoThirdsMs: { readonly median: number | null; readonly worst: number | null };
  /** Number of proofs made of others, and of proofs of raw votes alone. */
  readonly merges: number;
  readonly leaves: number;
  readonly proverSeconds: Readonly<Record<LeanOutcome, number>>;
  /** Share of the aggregators' time until the last deadline in which their provers were idle. */
  readonly idleShare: number;
  /** Bytes received by all nodes, without the votes on the subnets. */
  readonly bytes: number;
  readonly bytesByKind: Readonly<Record<'proofs' | 'haveBits' | 'requests', number>>;
  /** Mean bytes per node, over aggregators and over all other nodes. */
  readonly bytesByClass: { readonly aggregators: number; readonly others: number };
  readonly verificationSeconds: number;
  readonly proofsOnTopic: number;
  /** Number of consecutive merges up to the first proof of all existing votes; null if there is none. */
  readonly roundsToFull: number | null;
  /** Number of votes in no proof that the proposer has verified, by cause as far as it is known. */
  readonly excluded: { readonly noAggregator: number; readonly notProved: number; readonly notThere: number };
}

/** Runs a slot and returns its result. */
export function runLeanSlot(scenario: LeanScenario): { readonly run: LeanSlotRun; readonly result: LeanSlotResult } {
  const run = new LeanSlotRun(scenario);
  run.run(Math.max(...scenario.deadlinesMs));
  return { run, result: slotResult(run) };
}

/** Returns the proposer's node: the first one that is no aggregator, since these are all drawn alike. */
export function proposerOf({ aggregators }: LeanScenario): number {
  return aggregators;
}

/** Returns the proofs of the slot's message that the next proposer has verified, with the times. */
export function thereOf({ verified, scenario }: LeanSlotRun) {
  return verified[proposerOf(scenario)]!.filter(({ proof }) => !proof.isSecond);
}

/** Outcome of a job, and the earlier proof that had all of its votes. */
export interface JobOutcome {
  readonly outcome: LeanOutcome;
  readonly behind: LeanProof | undefined;
}

/** Returns the proofs that the proposer takes at the end for all votes that it has: leanSpec's greedy cover. */
export function blockOf(run: LeanSlotRun): LeanProof[] {
  const there = thereOf(run).map(({ proof }) => proof);
  return chooseChildren([there], { most: there.length, ties: 'largest' }).map(([, place]) => there[place]!);
}

/** Returns these proofs and all that were merged into them. */
export function withChildren(proofs: readonly LeanProof[]): ReadonlySet<LeanProof> {
  const all = new Set<LeanProof>();
  const add = (proof: LeanProof): void => {
    all.add(proof);
    proof.children.forEach(add);
  };
  proofs.forEach(add);
  return all;
}

export function outcomesOf(run: LeanSlotRun): Map<LeanJob, JobOutcome> {
  const deadlineUs = 1000 * Math.max(...run.scenario.deadlinesMs);
  const there = thereOf(run).map(({ proof }) => proof);
  const useful = withChildren(blockOf(run));
  const done: LeanProof[] = [];
  const outcomes = new Map<LeanJob, JobOutcome>();
  for (const job of [...run.jobs].sort((a, b) => a.endUs - b.endUs || a.proof.id - b.proof.id)) {
    const { proof, endUs } = job;
    const behind = done.find(
      (other) => other.isSecond === proof.isSecond && countNewVotes(proof.votes, other.votes) === 0,
    );
    done.push(proof);
    const isLate = endUs > deadlineUs || (run.published.has(proof) && !there.includes(proof));
    let outcome: LeanOutcome = 'superseded';
    if (useful.has(proof)) outcome = 'useful';
    else if (endUs > deadlineUs) outcome = 'late';
    else if (behind !== undefined) outcome = 'duplicate';
    else if (isLate) outcome = 'late';
    outcomes.set(job, { outcome, behind });
  }
  return outcomes;
}

export function slotResult(run: LeanSlotRun): LeanSlotResult {
  const { scenario, jobs } = run;
  const { nodes, aggregators, deadlinesMs, profile } = scenario;
  const proverSeconds = { useful: 0, duplicate: 0, late: 0, superseded: 0 };
  for (const [{ startUs, endUs }, { outcome }] of outcomesOf(run)) proverSeconds[outcome] += (endUs - startUs) / 1e6;
  const lastUs = 1000 * Math.max(...deadlinesMs);
  const busyUs = jobs.reduce((sum, { startUs, endUs }) => sum + Math.min(endUs, lastUs) - startUs, 0);
  const proposer = thereOf(run);
  const at = (deadline: number) => proposer.filter(({ atUs }) => atUs <= 1000 * deadline).map(({ proof }) => proof);
  const perDeadline = (shareOf: (proofs: readonly LeanProof[]) => number) =>
    Object.fromEntries(deadlinesMs.map((deadline) => [String(deadline), shareOf(at(deadline)) / profile.validators]));
  const kinds = run.received;
  const sum = (values: Float64Array, from = 0, to = nodes) =>
    values.subarray(from, to).reduce((all, one) => all + one, 0);
  const classMean = (from: number, to: number) =>
    Object.values(kinds).reduce((all, values) => all + sum(values, from, to), 0) / Math.max(1, to - from);
  const bytesByKind = { proofs: sum(kinds.proofs), haveBits: sum(kinds.haveBits), requests: sum(kinds.requests) };
  return {
    covered: perDeadline((proofs) => proofs.reduce((best, { size }) => Math.max(best, size), 0)),
    pooled: perDeadline((proofs) => countVotes(unionOf(run, proofs))),
    twoThirdsMs: twoThirds(run),
    merges: jobs.filter(({ proof }) => proof.children.length > 0).length,
    leaves: jobs.filter(({ proof }) => proof.children.length === 0).length,
    proverSeconds,
    idleShare: 1 - busyUs / (aggregators * lastUs),
    bytes: bytesByKind.proofs + bytesByKind.haveBits + bytesByKind.requests,
    bytesByKind,
    bytesByClass: { aggregators: classMean(0, aggregators), others: classMean(aggregators, nodes) },
    verificationSeconds: run.tookUs.reduce((all, us) => all + us, 0) / 1e6,
    proofsOnTopic: run.published.size,
    roundsToFull: roundsToFull(run),
    excluded: excludedVotes(run, unionOf(run, at(lastUs / 1000))),
  };
}

function unionOf({ sizes }: LeanSlotRun, proofs: readonly LeanProof[]) {
  const union = emptyVotes(sizes.validators);
  for (const { votes } of proofs) joinVotes(union, votes);
  return union;
}

function roundsToFull({ proofs, jobs, sizes }: LeanSlotRun): number | null {
  const made = new Set(jobs.map(({ proof }) => proof));
  const depths = proofs.filter((proof) => made.has(proof) && proof.size === sizes.validators).map(({ depth }) => depth);
  return depths.length === 0 ? null : Math.min(...depths);
}

function twoThirds({ verified, sizes }: LeanSlotRun): LeanSlotResult['twoThirdsMs'] {
  const times = verified.map((list) => {
    const union = emptyVotes(sizes.validators);
    for (const { proof, atUs } of list) {
      if (proof.isSecond) continue;
      joinVotes(union, proof.votes);
      if (3 * countVotes(union) >= 2 * sizes.validators) return atUs / 1000;
    }
    return Number.POSITIVE_INFINITY;
  });
  times.sort((a, b) => a - b);
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  return { median: finite(times[Math.floor(times.length / 2)]!), worst: finite(times.at(-1)!) };
}

function excludedVotes(run: LeanSlotRun, there: Uint32Array): LeanSlotResult['excluded'] {
  const proved = unionOf(
    run,
    run.proofs.filter(({ isValid, isSecond }) => isValid && !isSecond),
  );
  const served = new Uint8Array(run.sizes.subnets);
  for (const { position, role } of run.aggregators) if (role !== 'silent') served[run.sizes.duties[position]!] = 1;
  const excluded = { noAggregator: 0, notProved: 0, notThere: 0 };
  for (let validator = 0; validator < run.sizes.validators; validator++) {
    const isIn = (set: Uint32Array) => ((set[validator >>> 5]! >>> (validator & 31)) & 1) === 1;
    if (isIn(there)) continue;
    if (served[validator % run.sizes.subnets] === 0) excluded.noAggregator++;
    else if (isIn(proved)) excluded.notThere++;
    else excluded.notProved++;
  }
  return excluded;
}
