import { percentiles } from '@tutti/simulation';
import { blockMergeMs, messageMergeMs } from '../profile.ts';
import { countNewVotes } from '../rules.ts';
import type { LeanProof } from '../world.ts';
import type { LeanJob } from './aggregator.ts';
import {
  blockOf,
  type JobOutcome,
  leanOutcomes,
  proposerOf,
  proposerResult,
  slotBytes,
  verifiedProofs,
} from './result.ts';
import type { LeanSlotRun } from './run.ts';

/** State of the earlier proof when the prover began its duplicate. */
export type DuplicateTime = 'held' | 'on its way' | 'being made' | 'not begun';

/**
 * Reason why a prover's work is in no block.
 *
 * - `same`: proof number `proof` finished earlier and has all votes of this proof; `when` is the state of that earlier
 *   proof when the prover began.
 * - `not ready`: the slot ended before the proof was ready. `not there`: the proof was published, but the proposer had
 *   not verified it in time.
 * - `covered`: the proposer has the proof, but takes `proofs` for its votes.
 * - `held back`: the proof's maker publishes it only in the next slot, at `dueMs` since this slot began. `unused`: the
 *   proof was not published, and is part of no proof of the block. `other message`: validators signed two messages, and
 *   this proof is for the other one.
 */
export type LeanWaste =
  | { readonly why: 'same'; readonly proof: number; readonly when: DuplicateTime }
  | { readonly why: 'not ready' | 'not there' | 'unused' | 'other message' }
  | { readonly why: 'held back'; readonly dueMs: number }
  | { readonly why: 'covered'; readonly proofs: readonly number[] };

/**
 * Returns the reason why a job's proof is in no block, or undefined if it will be in the block.
 *
 * @param block the proofs that the proposer takes.
 */
export function wasteOf(
  run: LeanSlotRun,
  job: LeanJob,
  { outcome, behind }: JobOutcome,
  block: readonly LeanProof[],
): LeanWaste | undefined {
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

/** A metric of a slot, under the name that clients use. */
export interface LeanMetric {
  /** Name in leanMetrics (metrics.md) or leanSpec; this project's own names begin with `tutti_`. */
  readonly name: string;
  /** Labels in Prometheus format; empty if there are none. */
  readonly labels: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Value of a counter or gauge; the sum of all observations for a histogram. */
  readonly value: number;
  /** Number of observations in a histogram; null for other metrics. */
  readonly count: number | null;
  /** Exact quantiles of a histogram's observations; null for other metrics. */
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  /** Number of observations up to each upper bound; empty if leanMetrics defines no bounds. */
  readonly buckets: Readonly<Record<string, number>>;
}

/** Bucket bounds of leanMetrics for making and verifying proofs, s. */
const proofBounds = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4];

const noQuantiles = { p50: null, p90: null, p99: null };

function single(kind: 'counter' | 'gauge', name: string, value: number, labels = ''): LeanMetric {
  return { name, labels, kind, value, count: null, ...noQuantiles, buckets: {} };
}

function histogram(name: string, values: readonly number[], bounds: readonly number[] = []): LeanMetric {
  return {
    name,
    labels: '',
    kind: 'histogram',
    count: values.length,
    // The order of the additions must not depend on the order of the events.
    value: values.toSorted((a, b) => a - b).reduce((sum, one) => sum + one, 0),
    ...(percentiles(values) ?? noQuantiles),
    buckets: Object.fromEntries(bounds.map((bound) => [String(bound), values.filter((one) => one <= bound).length])),
  };
}

/**
 * Returns a slot's figures by their names in leanMetrics: counters of all nodes, and gauges of the recorded proposer.
 */
export function leanMetrics(run: LeanSlotRun): LeanMetric[] {
  const { proverSeconds, pooled, excluded } = proposerResult(run, proposerOf(run.scenario));
  const { bytesByKind, bytesByClass } = slotBytes(run);
  const { jobs, scenario, published, aggregators, tookUs } = run;
  const { profile, deadlinesMs } = scenario;
  const lastMs = Math.max(...deadlinesMs);
  const endUs = 1000 * lastMs;
  const made = jobs.filter((job) => job.endUs <= endUs);
  const seconds = (list: typeof made) => list.map((job) => (job.endUs - job.startUs) / 1e6);
  const there = verifiedProofs(run);
  const known = there.filter(({ atUs }) => atUs <= 1000 * profile.times.knownMs);
  const block = blockOf(run);
  const mergeS = messageMergeMs(profile, block.length) / 1000;
  const touched = new Set(there.flatMap(({ proof }) => [...proof.subnets.keys()].filter((one) => proof.subnets[one])));
  return [
    single('counter', 'lean_pq_sig_aggregated_signatures_total', made.length),
    single(
      'counter',
      'lean_pq_sig_attestations_in_aggregated_signatures_total',
      made.reduce((sum, { proof }) => sum + proof.size, 0),
    ),
    histogram('lean_pq_sig_aggregated_signatures_building_time_seconds', seconds(made), proofBounds),
    histogram(
      'lean_pq_sig_aggregated_signatures_verification_time_seconds',
      tookUs.map((us) => us / 1e6),
      proofBounds,
    ),
    histogram(
      'lean_committee_signatures_aggregation_time_seconds',
      seconds(made.filter(({ proof }) => proof.rawVotes > 0)),
    ),
    histogram(
      'lean_gossip_aggregation_size_bytes',
      [...published.keys()].map(({ bytes }) => bytes),
    ),
    single('gauge', 'lean_is_aggregator', aggregators.length),
    single(
      'gauge',
      'lean_gossip_signatures',
      aggregators.reduce((sum, { raw }) => sum + raw.left, 0),
    ),
    single('gauge', 'lean_latest_known_aggregated_payloads', known.length),
    single('gauge', 'lean_latest_new_aggregated_payloads', there.length - known.length),
    single('gauge', 'lean_block_aggregated_payloads', block.length),
    single('gauge', 'lean_block_building_payload_aggregation_time_seconds', mergeS),
    single(
      'gauge',
      'lean_block_building_time_seconds',
      mergeS + blockMergeMs(profile.block, block.length === 0 ? 1 : 2) / 1000,
    ),
    single(
      'gauge',
      'lean_attestation_aggregate_coverage_validators',
      Math.round(pooled[String(lastMs)]! * profile.validators),
    ),
    single('gauge', 'lean_attestation_aggregate_coverage_subnets', touched.size),
    ...leanOutcomes.map((outcome) =>
      single('counter', 'tutti_prover_seconds', proverSeconds[outcome], `outcome="${outcome}"`),
    ),
    ...(['noAggregator', 'notProved', 'notThere'] as const).map((cause) =>
      single('counter', 'tutti_votes_left_out', excluded[cause], `cause="${cause}"`),
    ),
    ...Object.entries(bytesByKind).map(([kind, bytes]) =>
      single('counter', 'tutti_received_bytes', bytes, `kind="${kind}"`),
    ),
    ...(['aggregators', 'others'] as const).map((of) =>
      single('gauge', 'tutti_received_bytes_mean', bytesByClass[of], `nodes="${of}"`),
    ),
  ];
}
