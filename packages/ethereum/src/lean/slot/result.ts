import { emptySet, hasMember, type MemberSet, sizeOf } from '@tutti/core/horn';
import { percentile } from '@tutti/simulation';
import { requireSome, type Summary, summaryOf } from '../../statistics.ts';
import { chooseChildren, countNewVotes, joinVotes } from '../rules.ts';
import type { LeanProof } from '../world.ts';
import type { LeanJob } from './aggregator.ts';
import { LeanSlotRun } from './run.ts';
import type { LeanScenario } from './scenario.ts';

/**
 * Outcomes of a proof.
 *
 * - `useful`: the proof will be in the block.
 * - `duplicate`: an earlier proof had all votes of this proof.
 * - `late`: the proof was ready only after the last deadline, or was published too late for the proposer to verify it.
 * - `superseded`: the block contains other proofs instead.
 */
export const leanOutcomes = ['useful', 'duplicate', 'late', 'superseded'] as const;
/** Name of one of {@link leanOutcomes}. */
export type LeanOutcome = (typeof leanOutcomes)[number];

/** Number of validators whose votes are in no proof that the proposer has verified, by reason. */
export interface LeanExcluded<T> {
  /** The validator's subnet has no aggregator, or only silent ones. */
  readonly noAggregator: T;
  /** No valid proof contains the vote. */
  readonly notProved: T;
  /** The vote is only in proofs that the proposer has not verified in time. */
  readonly notThere: T;
}

/** Results of a slot as seen by one node that could propose the next block. */
export interface LeanProposerResult {
  /** Share of all validators in the best proof that the node has verified, by deadline in ms. */
  readonly covered: Readonly<Record<string, number>>;
  /** Share of all validators in the union of the node's verified proofs, by deadline in ms. */
  readonly pooled: Readonly<Record<string, number>>;
  readonly proverSeconds: Readonly<Record<LeanOutcome, number>>;
  readonly excluded: LeanExcluded<number>;
}

/** Results of a slot over seeds. Quantities that depend on the proposer also vary over all possible proposers. */
export interface LeanSlotResult {
  readonly seeds: readonly number[];
  /** Number of nodes per seed that could propose: all nodes that are not aggregators. */
  readonly proposers: number;
  readonly covered: Readonly<Record<string, Summary>>;
  readonly pooled: Readonly<Record<string, Summary>>;
  /** Median and max time at which a node has proofs of two thirds of the validators, ms; null if never. */
  readonly twoThirdsMs: { readonly median: number | null; readonly worst: number | null };
  /** Number of proofs made from other proofs. */
  readonly merges: Summary;
  /** Number of proofs made only from raw votes. */
  readonly leaves: Summary;
  /** Time of all provers, s: by the outcome of the job, and in total. */
  readonly proverSeconds: Readonly<Record<LeanOutcome, Summary>>;
  readonly busySeconds: Summary;
  /** Share of the time until the last deadline in which the aggregators' provers, one per machine, were idle. */
  readonly idleShare: Summary;
  /** Bytes that all nodes received, excluding the votes on the subnets. */
  readonly bytes: Summary;
  readonly bytesByKind: Readonly<Record<'proofs' | 'haveBits' | 'requests', Summary>>;
  /** Mean number of bytes received per aggregator, and per other node. */
  readonly bytesByClass: { readonly aggregators: Summary; readonly others: Summary };
  readonly verificationSeconds: Summary;
  readonly proofsOnTopic: Summary;
  /**
   * Minimum number of merge rounds until a proof has all votes, over the seeds that have such a proof; null if no seed
   * has one.
   */
  readonly roundsToFull: Summary | null;
  readonly excluded: LeanExcluded<Summary>;
}

/** Runs a slot and returns its result. */
export function runLeanSlot(scenario: LeanScenario): { readonly run: LeanSlotRun; readonly result: LeanSlotResult } {
  const run = runOf(scenario);
  return { run, result: slotResult(run) };
}

/** Runs a slot and returns the data that {@link leanSlotResult} needs. */
export function sampleLeanSlot(scenario: LeanScenario): LeanSample {
  return sampleOf(runOf(scenario));
}

/** Returns the result of a slot that has been run. */
export function slotResult(run: LeanSlotRun): LeanSlotResult {
  return leanSlotResult([sampleOf(run)]);
}

/** Runs a slot with each of these seeds, one after the other, and stores only the data that is summarised. */
export function runLeanSeeds(scenario: LeanScenario, seeds: readonly number[]): LeanSlotResult {
  requireSome('seeds', seeds);
  return leanSlotResult(seeds.map((seed) => sampleLeanSlot({ ...scenario, seed })));
}

function runOf(scenario: LeanScenario): LeanSlotRun {
  const run = new LeanSlotRun(scenario);
  run.run(Math.max(...scenario.deadlinesMs));
  return run;
}

/** Returns the nodes that could propose the next block: all nodes that are not aggregators. */
function proposersOf({ aggregators, nodes }: LeanScenario): number[] {
  return Array.from({ length: nodes - aggregators }, (_, at) => aggregators + at);
}

/** Returns the node that a recording and metrics describe: the first one that could propose. */
export function proposerOf({ aggregators }: LeanScenario): number {
  return aggregators;
}

/** Returns the proofs of the slot's message that a node has verified, with the times. */
export function verifiedProofs({ verified, scenario }: LeanSlotRun, proposer = proposerOf(scenario)) {
  return verified[proposer]!.filter(({ proof }) => !proof.isSecond);
}

/** Outcome of a job, with the earlier proof that had all of its votes, if any. */
export interface JobOutcome {
  readonly outcome: LeanOutcome;
  readonly behind: LeanProof | undefined;
}

/** Returns the proofs that a proposer takes at the end for all votes that it has: leanSpec's greedy cover. */
export function blockOf(run: LeanSlotRun, proposer = proposerOf(run.scenario)): LeanProof[] {
  const there = verifiedProofs(run, proposer).map(({ proof }) => proof);
  return chooseChildren([there], { max: there.length, ties: 'encoding' }).map(([, place]) => there[place]!);
}

/** Returns the given proofs and all proofs merged into them. */
export function withChildren(proofs: readonly LeanProof[]): ReadonlySet<LeanProof> {
  const all = new Set<LeanProof>();
  const add = (proof: LeanProof): void => {
    all.add(proof);
    proof.children.forEach(add);
  };
  proofs.forEach(add);
  return all;
}

/** Returns the earlier proof that had all votes of each job, if any, with the jobs in the order of their ends. */
function jobsBehind(run: LeanSlotRun): Map<LeanJob, LeanProof | undefined> {
  const done: LeanProof[] = [];
  const behind = new Map<LeanJob, LeanProof | undefined>();
  for (const job of [...run.jobs].sort((a, b) => a.endUs - b.endUs || a.proof.id - b.proof.id)) {
    const { proof } = job;
    behind.set(
      job,
      done.find((other) => other.isSecond === proof.isSecond && countNewVotes(proof.votes, other.votes) === 0),
    );
    done.push(proof);
  }
  return behind;
}

/** Returns the outcome of every job as seen by one node that could propose. */
export function outcomesOf(
  run: LeanSlotRun,
  proposer = proposerOf(run.scenario),
  behindOf = jobsBehind(run),
): Map<LeanJob, JobOutcome> {
  const deadlineUs = 1000 * Math.max(...run.scenario.deadlinesMs);
  const there = new Set(verifiedProofs(run, proposer).map(({ proof }) => proof));
  const useful = withChildren(blockOf(run, proposer));
  const outcomes = new Map<LeanJob, JobOutcome>();
  for (const [job, behind] of behindOf) {
    const { proof, endUs } = job;
    let outcome: LeanOutcome = 'superseded';
    if (useful.has(proof)) outcome = 'useful';
    else if (endUs > deadlineUs) outcome = 'late';
    else if (behind !== undefined) outcome = 'duplicate';
    else if (run.published.has(proof) && !there.has(proof)) outcome = 'late';
    outcomes.set(job, { outcome, behind });
  }
  return outcomes;
}

/** Returns the results for one node that could propose. */
export function proposerResult(run: LeanSlotRun, proposer: number, behind = jobsBehind(run)): LeanProposerResult {
  const { deadlinesMs, profile } = run.scenario;
  const there = verifiedProofs(run, proposer);
  const at = (deadline: number) => there.filter(({ atUs }) => atUs <= 1000 * deadline).map(({ proof }) => proof);
  const perDeadline = (shareOf: (proofs: readonly LeanProof[]) => number) =>
    Object.fromEntries(deadlinesMs.map((deadline) => [String(deadline), shareOf(at(deadline)) / profile.validators]));
  const proverSeconds = { useful: 0, duplicate: 0, late: 0, superseded: 0 };
  for (const [{ startUs, endUs }, { outcome }] of outcomesOf(run, proposer, behind)) {
    proverSeconds[outcome] += (endUs - startUs) / 1e6;
  }
  return {
    covered: perDeadline((proofs) => proofs.reduce((best, { size }) => Math.max(best, size), 0)),
    pooled: perDeadline((proofs) => sizeOf(unionOf(run, proofs))),
    proverSeconds,
    excluded: excludedVotes(run, unionOf(run, at(Math.max(...deadlinesMs)))),
  };
}

/** Returns the bytes that all nodes have received, by kind, with means per aggregator and per other node. */
export function slotBytes({ received, scenario: { nodes, aggregators } }: LeanSlotRun) {
  const sum = (values: Float64Array, from = 0, to = nodes) =>
    values.subarray(from, to).reduce((all, one) => all + one, 0);
  const classMean = (from: number, to: number) =>
    Object.values(received).reduce((all, values) => all + sum(values, from, to), 0) / Math.max(1, to - from);
  return {
    bytesByKind: { proofs: sum(received.proofs), haveBits: sum(received.haveBits), requests: sum(received.requests) },
    bytesByClass: { aggregators: classMean(0, aggregators), others: classMean(aggregators, nodes) },
  };
}

/** Returns the data that is kept from the run of one seed. */
function sampleOf(run: LeanSlotRun) {
  const { scenario, jobs } = run;
  const { aggregators, perHost, deadlinesMs, seed } = scenario;
  const lastUs = 1000 * Math.max(...deadlinesMs);
  const busyUs = jobs.reduce((sum, { startUs, endUs }) => sum + Math.min(endUs, lastUs) - startUs, 0);
  const behind = jobsBehind(run);
  const { bytesByKind, bytesByClass } = slotBytes(run);
  return {
    seed,
    proposers: proposersOf(scenario).map((proposer) => proposerResult(run, proposer, behind)),
    twoThirdsMs: twoThirdsOf(run),
    roundsToFull: roundsToFull(run),
    slot: {
      merges: jobs.filter(({ proof }) => proof.children.length > 0).length,
      leaves: jobs.filter(({ proof }) => proof.children.length === 0).length,
      busySeconds: jobs.reduce((all, { startUs, endUs }) => all + (endUs - startUs) / 1e6, 0),
      idleShare: 1 - busyUs / (Math.ceil(aggregators / perHost) * lastUs),
      bytes: bytesByKind.proofs + bytesByKind.haveBits + bytesByKind.requests,
      verificationSeconds: run.tookUs.reduce((all, us) => all + us, 0) / 1e6,
      proofsOnTopic: run.published.size,
    },
    bytesByKind,
    bytesByClass,
  };
}

/** Summarises records of numbers field by field. @throws RangeError without records. */
export function summaryFields<K extends string>(records: readonly Readonly<Record<K, number>>[]): Record<K, Summary> {
  requireSome('records', records);
  const keys = Object.keys(records[0]!) as K[];
  return Object.fromEntries(keys.map((key) => [key, summaryOf(records.map((one) => one[key]))])) as Record<K, Summary>;
}

/** Data of a run with one seed, for {@link leanSlotResult}. */
export type LeanSample = ReturnType<typeof sampleOf>;

/**
 * Returns the result of a slot over seeds.
 *
 * @param samples data of the runs, one per seed.
 * @throws RangeError without samples.
 */
export function leanSlotResult(samples: readonly LeanSample[]): LeanSlotResult {
  requireSome('samples', samples);
  const proposers = samples.flatMap((sample) => sample.proposers);
  const times = samples.flatMap(({ twoThirdsMs }) => twoThirdsMs).sort((a, b) => a - b);
  const finiteOrNull = (value: number) => (Number.isFinite(value) ? value : null);
  const rounds = samples.flatMap(({ roundsToFull: of }) => (of === null ? [] : [of]));
  return {
    seeds: samples.map(({ seed }) => seed),
    proposers: samples[0]!.proposers.length,
    covered: summaryFields(proposers.map(({ covered }) => covered)),
    pooled: summaryFields(proposers.map(({ pooled }) => pooled)),
    twoThirdsMs: { median: finiteOrNull(percentile(times, 0.5)!), worst: finiteOrNull(times.at(-1)!) },
    proverSeconds: summaryFields(proposers.map(({ proverSeconds }) => proverSeconds)),
    ...summaryFields(samples.map(({ slot }) => slot)),
    bytesByKind: summaryFields(samples.map(({ bytesByKind }) => bytesByKind)),
    bytesByClass: summaryFields(samples.map(({ bytesByClass }) => bytesByClass)),
    roundsToFull: rounds.length === 0 ? null : summaryOf(rounds),
    excluded: summaryFields(proposers.map(({ excluded }) => excluded)),
  };
}

function unionOf({ sizes }: LeanSlotRun, proofs: readonly LeanProof[]) {
  const union = emptySet(sizes.validators);
  for (const { votes } of proofs) joinVotes(union, votes);
  return union;
}

/** Returns the smallest depth of a proof with all votes, or null if there is no such proof. */
function roundsToFull({ proofs, jobs, sizes }: LeanSlotRun): number | null {
  const made = new Set(jobs.map(({ proof }) => proof));
  const depths = proofs.filter((proof) => made.has(proof) && proof.size === sizes.validators).map(({ depth }) => depth);
  return depths.length === 0 ? null : Math.min(...depths);
}

/** Returns the time at which each node has verified proofs of two thirds of the validators, ms; infinite if never. */
function twoThirdsOf({ verified, sizes }: LeanSlotRun): number[] {
  return verified.map((list) => {
    const union = emptySet(sizes.validators);
    for (const { proof, atUs } of list) {
      if (proof.isSecond) continue;
      joinVotes(union, proof.votes);
      if (3 * sizeOf(union) >= 2 * sizes.validators) return atUs / 1000;
    }
    return Number.POSITIVE_INFINITY;
  });
}

/**
 * Counts the validators without a vote in the proofs that a proposer has, by reason.
 *
 * @param there votes that the proposer has.
 */
function excludedVotes(run: LeanSlotRun, there: MemberSet): LeanExcluded<number> {
  const proved = unionOf(
    run,
    run.proofs.filter(({ isValid, isSecond }) => isValid && !isSecond),
  );
  const served = new Uint8Array(run.sizes.subnets);
  for (const { position, role } of run.aggregators) if (role !== 'silent') served[run.sizes.duties[position]!] = 1;
  const excluded = { noAggregator: 0, notProved: 0, notThere: 0 };
  for (let validator = 0; validator < run.sizes.validators; validator++) {
    if (hasMember(there, validator)) continue;
    if (served[validator % run.sizes.subnets] === 0) excluded.noAggregator++;
    else if (hasMember(proved, validator)) excluded.notThere++;
    else excluded.notProved++;
  }
  return excluded;
}
