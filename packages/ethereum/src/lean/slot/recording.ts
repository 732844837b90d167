import { emptySet, hasMember, type MemberSet, sizeOf } from '@tutti/core/horn';
import type { Summary } from '../../statistics.ts';
import { messageMergeMs } from '../profile.ts';
import { joinVotes } from '../rules.ts';
import type { LeanProof, LeanSizes, LeanStrategy } from '../world.ts';
import { type LeanWaste, wasteOf } from './metrics.ts';
import { blockOf, type LeanOutcome, outcomesOf, proposerOf, slotResult, verifiedProofs } from './result.ts';
import type { LeanSlotRun } from './run.ts';
import type { LeanRole } from './scenario.ts';

/**
 * A slot as plain JSON for a drawing: the jobs of every prover and their outcomes, the times of each proof, and the
 * proofs that the next proposer has verified. Times are ms since the slot began.
 */
export interface LeanRecording {
  readonly format: 'tutti-lean-slot-1';
  readonly profile: string;
  readonly strategy: LeanStrategy;
  readonly validators: number;
  readonly subnets: number;
  readonly slotMs: number;
  /** Start times of the slot's intervals, ms. */
  readonly intervalsMs: readonly number[];
  readonly deadlinesMs: readonly number[];
  /** Node whose knowledge is recorded: the first node that could propose the next block. */
  readonly proposer: number;
  /** Shares of all validators at the last deadline, over all nodes that could propose the next block. */
  readonly proposers: { readonly nodes: number; readonly covered: Summary; readonly pooled: Summary };
  /** One row per aggregator, by its position, which is also the id of its node. */
  readonly lanes: readonly LeanLane[];
  /** Proofs by number. */
  readonly proofs: readonly RecordedProof[];
  /** Votes in the proofs that the proposer had verified, at the start and at each change. */
  readonly coverage: readonly LeanCoverage[];
  /** Proofs that the proposer takes at the end, and the time that it needs to merge them into one for a block, ms. */
  readonly block: { readonly proofs: readonly number[]; readonly mergeMs: number };
}

/** Jobs of one aggregator over time, as one row of the recording. */
export interface LeanLane {
  readonly position: number;
  readonly subnet: number;
  /** Byzantine role; null for an honest aggregator. */
  readonly role: LeanRole | null;
  /** Jobs of the aggregator's prover, one after another. */
  readonly jobs: readonly {
    readonly proof: number;
    readonly startMs: number;
    readonly endMs: number;
    readonly outcome: LeanOutcome;
    /** Number of an earlier proof that contains all votes of this duplicate; null for other outcomes. */
    readonly behind: number | null;
    /** Reason why the job's proof is in no block; null if it will be in the block. */
    readonly waste: LeanWaste | null;
  }[];
}

/** A proof, with the times at which nodes made, published and verified it. */
export interface RecordedProof {
  readonly by: number;
  readonly children: readonly number[];
  readonly rawVotes: number;
  readonly bytes: number;
  /** Number of validators in the proof. */
  readonly size: number;
  /** Share of each subnet's validators in the proof. */
  readonly shares: readonly number[];
  /** Half for which the proof was made; null in strategies without levels. */
  readonly half: { readonly level: number; readonly index: number } | null;
  readonly isValid: boolean;
  /** Time at which the proof was made, ms; null if the slot ended first. */
  readonly madeMs: number | null;
  /** Time of the proof's publication on the global topic, ms; null if it is never published. */
  readonly publishedMs: number | null;
  /** Times at which aggregators and the proposer had verified the proof, by node, including its maker. */
  readonly verified: readonly { readonly node: number; readonly atMs: number }[];
}

/** Votes covered by proofs at one point in time. */
export interface LeanCoverage {
  readonly atMs: number;
  /** Share of all validators in the best proof. */
  readonly best: number;
  /** Share of all validators in all proofs together. */
  readonly pooled: number;
  /** Share of each subnet's votes in all proofs together. */
  readonly subnets: readonly number[];
}

/** Returns the recording of a slot that has been run. */
export function recordLeanSlot(run: LeanSlotRun): LeanRecording {
  const { scenario, sizes } = run;
  const result = slotResult(run);
  const last = String(Math.max(...scenario.deadlinesMs));
  const { profile } = scenario;
  const { slotMs, intervalMs } = profile.times;
  const proposer = proposerOf(scenario);
  const block = blockOf(run);
  return {
    format: 'tutti-lean-slot-1',
    profile: profile.name,
    strategy: scenario.strategy,
    validators: sizes.validators,
    subnets: sizes.subnets,
    slotMs,
    intervalsMs: Array.from({ length: Math.ceil(slotMs / intervalMs) }, (_, at) => at * intervalMs),
    deadlinesMs: scenario.deadlinesMs,
    proposer,
    proposers: { nodes: result.proposers, covered: result.covered[last]!, pooled: result.pooled[last]! },
    lanes: lanesOf(run, block),
    proofs: proofsOf(run, proposer),
    coverage: coverageOf(run),
    block: { proofs: block.map(({ id }) => id), mergeMs: messageMergeMs(profile, block.length) },
  };
}

function lanesOf(run: LeanSlotRun, block: readonly LeanProof[]): LeanLane[] {
  const outcomes = outcomesOf(run);
  return run.aggregators.map(({ position, role }) => ({
    position,
    subnet: run.sizes.duties[position]!,
    role: role ?? null,
    jobs: run.jobs
      .filter((job) => job.position === position)
      .map((job) => {
        const of = outcomes.get(job)!;
        return {
          proof: job.proof.id,
          startMs: job.startUs / 1000,
          endMs: job.endUs / 1000,
          outcome: of.outcome,
          behind: of.outcome === 'duplicate' ? of.behind!.id : null,
          waste: wasteOf(run, job, of, block) ?? null,
        };
      }),
  }));
}

function proofsOf({ proofs, verified, published, sizes, aggregators }: LeanSlotRun, proposer: number): RecordedProof[] {
  const seen = new Map<number, { node: number; atMs: number }[]>();
  for (const node of [...aggregators.map(({ position }) => position), proposer]) {
    for (const { proof, atUs } of verified[node]!) {
      const list = seen.get(proof.id) ?? [];
      list.push({ node, atMs: atUs / 1000 });
      seen.set(proof.id, list);
    }
  }
  return proofs.map((proof) => {
    const arrivals = seen.get(proof.id) ?? [];
    const publishedUs = published.get(proof);
    return {
      by: proof.by,
      children: proof.children.map(({ id }) => id),
      rawVotes: proof.rawVotes,
      bytes: proof.bytes,
      size: proof.size,
      shares: subnetShares(proof.votes, sizes),
      half: proof.half ?? null,
      isValid: proof.isValid,
      madeMs: arrivals.find(({ node }) => node === proof.by)?.atMs ?? null,
      publishedMs: publishedUs === undefined ? null : publishedUs / 1000,
      verified: arrivals,
    };
  });
}

function subnetShares(votes: MemberSet, { validators, subnets }: LeanSizes): number[] {
  const counts = new Array<number>(subnets).fill(0);
  const totals = new Array<number>(subnets).fill(0);
  for (let validator = 0; validator < validators; validator++) {
    totals[validator % subnets]!++;
    if (hasMember(votes, validator)) counts[validator % subnets]!++;
  }
  return counts.map((count, subnet) => count / totals[subnet]!);
}

function coverageOf(run: LeanSlotRun): LeanCoverage[] {
  const { sizes } = run;
  const union = emptySet(sizes.validators);
  let best = 0;
  const steps: LeanCoverage[] = [{ atMs: 0, best: 0, pooled: 0, subnets: subnetShares(union, sizes) }];
  for (const { proof, atUs } of verifiedProofs(run)) {
    joinVotes(union, proof.votes);
    best = Math.max(best, proof.size);
    const step = { best: best / sizes.validators, pooled: sizeOf(union) / sizes.validators };
    const last = steps.at(-1)!;
    if (step.best !== last.best || step.pooled !== last.pooled) {
      steps.push({ atMs: atUs / 1000, ...step, subnets: subnetShares(union, sizes) });
    }
  }
  return steps;
}
