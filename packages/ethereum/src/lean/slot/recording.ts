import type { Summary } from '../../summary.ts';
import { countVotes, emptyVotes, hasVote, joinVotes, type VoteSet } from '../rules.ts';
import type { LeanProof, LeanRival, LeanSizes } from '../world.ts';
import { type LeanVain, messageMergeMs, vainOf } from './metrics.ts';
import { blockOf, type LeanOutcome, outcomesOf, proposerOf, slotResult, thereOf } from './result.ts';
import type { LeanSlotRun } from './run.ts';
import type { LeanRole } from './scenario.ts';

/**
 * A slot, to be drawn: what every prover worked on and what became of it, where each proof went, and what the next
 * proposer had. Times are ms since the slot began; everything is plain JSON.
 */
export interface LeanRecording {
  readonly format: 'tutti-lean-slot-1';
  readonly profile: string;
  readonly rival: LeanRival;
  readonly validators: number;
  readonly subnets: number;
  readonly slotMs: number;
  /** Where the slot's intervals begin. */
  readonly intervalsMs: readonly number[];
  readonly deadlinesMs: readonly number[];
  /** The node of which the recording tells: the first that could make the next block. */
  readonly proposer: number;
  /** At the last deadline, the shares of all validators over all nodes that could make it, in this slot. */
  readonly proposers: { readonly nodes: number; readonly covered: Summary; readonly pooled: Summary };
  /** One for each aggregator, by position, which is its node too. */
  readonly lanes: readonly LeanLane[];
  /** By number. */
  readonly proofs: readonly RecordedProof[];
  /** What the proposer had verified, at each change: shares of all validators. */
  readonly coverage: readonly LeanCoverage[];
  /** The proofs that it takes at the end, and how long its machine needs to merge them to one, as a block has them. */
  readonly block: { readonly proofs: readonly number[]; readonly mergeMs: number };
}

export interface LeanLane {
  readonly position: number;
  readonly subnet: number;
  /** Null for an honest one. */
  readonly role: LeanRole | null;
  /** What its prover did, one after the other. */
  readonly jobs: readonly {
    readonly proof: number;
    readonly startMs: number;
    readonly endMs: number;
    readonly outcome: LeanOutcome;
    /** Of a duplicate: a proof that already had all of it. */
    readonly behind: number | null;
    /** Why it is in no block; null for what is on its way into it. */
    readonly vain: LeanVain | null;
  }[];
}

export interface RecordedProof {
  readonly by: number;
  readonly children: readonly number[];
  readonly rawVotes: number;
  readonly bytes: number;
  /** Validators in it; and by subnet, the share of the subnet's. */
  readonly size: number;
  readonly shares: readonly number[];
  /** Of the levels' rivals: what it was made for. */
  readonly half: { readonly level: number; readonly index: number } | null;
  readonly isValid: boolean;
  /** When it was made; null if the slot was over before. */
  readonly madeMs: number | null;
  /** When it went on the global topic; null for never. */
  readonly publishedMs: number | null;
  /** When aggregators and the proposer had verified it, by node, its maker among them. */
  readonly verified: readonly { readonly node: number; readonly atMs: number }[];
}

export interface LeanCoverage {
  readonly atMs: number;
  /** In the best proof, and in all together. */
  readonly best: number;
  readonly pooled: number;
  /** Of the votes of each subnet, the share in all together. */
  readonly subnets: readonly number[];
}

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
    rival: scenario.rival,
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
    block: { proofs: block.map(({ id }) => id), mergeMs: messageMergeMs(run, block.length) },
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
      .map((job) => ({
        proof: job.proof.id,
        startMs: job.startUs / 1000,
        endMs: job.endUs / 1000,
        outcome: outcomes.get(job)!.outcome,
        behind: outcomes.get(job)!.behind?.id ?? null,
        vain: vainOf(run, job, outcomes.get(job)!, block) ?? null,
      })),
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

function subnetShares(votes: VoteSet, { validators, subnets }: LeanSizes): number[] {
  const counts = new Array<number>(subnets).fill(0);
  const totals = new Array<number>(subnets).fill(0);
  for (let validator = 0; validator < validators; validator++) {
    totals[validator % subnets]!++;
    if (hasVote(votes, validator)) counts[validator % subnets]!++;
  }
  return counts.map((count, subnet) => count / totals[subnet]!);
}

function coverageOf(run: LeanSlotRun): LeanCoverage[] {
  const { sizes } = run;
  const union = emptyVotes(sizes.validators);
  let best = 0;
  const steps: LeanCoverage[] = [{ atMs: 0, best: 0, pooled: 0, subnets: subnetShares(union, sizes) }];
  for (const { proof, atUs } of thereOf(run)) {
    joinVotes(union, proof.votes);
    best = Math.max(best, proof.size);
    const step = { best: best / sizes.validators, pooled: countVotes(union) / sizes.validators };
    const last = steps.at(-1)!;
    if (step.best !== last.best || step.pooled !== last.pooled) {
      steps.push({ atMs: atUs / 1000, ...step, subnets: subnetShares(union, sizes) });
    }
  }
  return steps;
}
