import type { LabScenario } from '@tutti/lab';
import type { ProtocolName, Scenario } from '@tutti/simulation';
import type { SweepPoint } from './point.ts';

/**
 * The constants in this file are fitted to the CPU time of every run of `tutti figures --quick`, one run at a time on
 * one core. The measured times are in tests/vectors/run-times.jsonl (`npm run data -- run-times` measures them), and a
 * test checks the totals of the estimates.
 */

/** Factor by which real signatures increase the time of a run. */
const blsFactor = 100;

/**
 * Returns the approximate time of a run, ms, which is used to start long runs first, form batches and estimate the
 * remaining time.
 */
export function estimatedCostMs(scenario: LabScenario): number {
  return (scenario.scheme === 'counting' ? 1 : blsFactor) * costsMs[scenario.protocol](scenario);
}

/** Functions that estimate the time of a run, by protocol, ms. */
const costsMs: { readonly [K in ProtocolName]: (scenario: LabScenario) => number } = {
  handel: (scenario) =>
    (nodeLevels(scenario) / 1000) *
    ((scenario.goReference?.quirks.length ?? 0) > 0 ? handelWithQuirksUs(scenario) : handelUs(scenario)),
  'complete-graph': completeGraphMs,
  // With dead nodes, many runs stall and send fewer messages.
  'san-fermin': (scenario) => (0.0043 * nodeLevels(scenario)) / (1 + 4 * scenario.dead),
  gossip: ({ nodes, gossip }) => nodes ** 2 * (gossip.of === 'individuals' ? 0.00023 * gossip.degree : 0.0022),
};

/** Returns the total number of levels of all nodes, as in a binary tree. */
function nodeLevels({ nodes }: Scenario): number {
  return nodes * Math.max(1, Math.log2(nodes));
}

/** Returns the time of a complete-graph run, ms. Without bulk verification, it grows with the verification time. */
function completeGraphMs({ nodes, verifyMs, completeGraph }: Scenario): number {
  const inBulk = 0.00036;
  if (completeGraph.verification === 'bulk') return nodes ** 2 * inBulk;
  return nodes ** 2 * Math.max(inBulk, 4.5e-7 * nodes * verifyMs);
}

/**
 * Returns the time per node and level for Handel with quirks of the Go reference, µs. Absent nodes reduce this time.
 */
function handelWithQuirksUs(scenario: Scenario): number {
  return 1.8 * (14 + 90 / scenario.periodMs) * (1 - 0.6 * absentShare(scenario));
}

/**
 * Returns the time, in µs, per node and level of Handel: the time for messages that are sent once, plus the time for
 * messages that are sent each period while levels wait.
 */
function handelUs(scenario: Scenario): number {
  const { network, tor, desyncMs, levelStartMs, periodMs, verifyMs, attacks } = scenario;
  const distance = (latencyMs(network) + (tor > 0 ? torMs : 0)) / usualLatencyMs;
  // If all latencies are equal or have two values, no nearby peer answers early.
  const withoutNear = distance > 1 && /^(constant|mixed):/.test(network) ? 2.5 : 1;
  const hasAbsent = absentShare(scenario) > 0;
  const events = 11 + (85 * distance * (hasAbsent ? 1.8 : 1)) / periodMs;
  // Levels that start early send messages to peers that have no contributions to send yet.
  const starting = Math.max(0.7, 3.5 - levelStartMs / 20) * (1 + desyncMs / 200);
  const checking = Math.max(1, Math.min(verifyMs, 100) / 6) ** 0.6;
  const attackCost = attacks.reduce((factor, attack) => factor * attackFactor(attack), 1);
  const waiting = distance ** 0.6 * withoutNear * (hasAbsent ? 1.25 : 1) * starting;
  return 0.75 * events * waiting * checking * attackCost * unstoppedFactor(scenario);
}

/** Returns the share of nodes that are dead or Byzantine. */
function absentShare({ dead, attacks }: Scenario): number {
  return attacks.reduce((sum, { share }) => sum + share, dead);
}

/** Approximate mean latency of the network `aws`, ms. */
const usualLatencyMs = 75;
/** Approximate additional latency of Tor, ms. */
const torMs = 150;

/** Returns the approximate mean latency of a network, ms. */
function latencyMs(network: string): number {
  const [kind, parameters = ''] = network.split(':');
  const [first = 0, slow = 0, slowShare = 0] = parameters.split(',').map(Number);
  if (kind === 'constant') return first;
  if (kind === 'mixed') return first * (1 - slowShare) + slow * slowShare;
  return kind?.startsWith('cities') ? 110 : usualLatencyMs;
}

/**
 * Ratio of the time of a run in which 30 % of the nodes perform the attack to the time of a run with 30 % silent nodes,
 * by attack.
 */
const attackFactors: Readonly<Record<string, number>> = {
  silent: 1,
  flood: 8.5,
  'across-levels': 4.5,
  delay: 3.8,
  invalid: 3.3,
  'first-places': 3,
  isolate: 3,
  mixed: 2.8,
  malformed: 1.9,
  worthless: 1.5,
};

/** Returns the factor for an attack and the share of nodes that perform it. An unlisted attack has a ratio of 1.2. */
function attackFactor({ name, share }: { readonly name: string; readonly share: number }): number {
  return 1 + ((attackFactors[name] ?? 1.2) - 1) * Math.min(1, share / 0.3);
}

/**
 * Returns the factor for attacks in a run without the mechanisms that stop them. A run without the blacklist or
 * authentication can continue until its time limit.
 */
function unstoppedFactor({ attacks, without, authenticated }: Scenario): number {
  if (attacks.length === 0) return 1;
  if (without.includes('blacklist')) return 150;
  return authenticated ? 1 : 20;
}

/** Points that are sent to a thread together. */
export interface Batch {
  readonly points: readonly SweepPoint[];
  /** Estimated time of all points, ms. */
  readonly costMs: number;
}

/** Maximum number of points per batch; such a batch is a message of about 100 kB. */
export const maxBatchPoints = 100;

/**
 * Groups points into batches, with the longest points first, so that no core has a long run at the end. A batch ends
 * when its estimated time reaches the target or when it has {@link maxBatchPoints} points.
 */
export function batches(points: readonly SweepPoint[], targetMs: number): Batch[] {
  const made: Batch[] = [];
  let batch: SweepPoint[] = [];
  let sumMs = 0;
  const longestFirst = points
    .map((point) => ({ point, costMs: estimatedCostMs(point.scenario) }))
    .sort((a, b) => b.costMs - a.costMs);
  for (const { point, costMs } of longestFirst) {
    batch.push(point);
    sumMs += costMs;
    if (sumMs < targetMs && batch.length < maxBatchPoints) continue;
    made.push({ points: batch, costMs: sumMs });
    batch = [];
    sumMs = 0;
  }
  if (batch.length > 0) made.push({ points: batch, costMs: sumMs });
  return made;
}
