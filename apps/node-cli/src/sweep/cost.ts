import { protocols, type Scenario } from '@tutti/simulation';
import type { SweepPoint } from './point.ts';

/**
 * Milliseconds per node and level on one core made in 2020, with the counting scheme: measured with 256 to 4096 nodes,
 * where it is 5.5 to 7.
 */
const msPerNodeLevel = 0.006;
/** With 20 % dead a run takes twice as long: levels stay incomplete, and messages go on. */
const perDeadShare = 5;
/** Real signatures are checked one by one. */
const blsFactor = 100;

/** With the quirks of the published runs nodes verify whenever they have time, and send on in bursts. */
const quirksFactor = 12;

/** What a message costs where everybody's contribution goes to everybody. */
const msPerFloodedMessage = 0.0012;

/** About how long a run takes, ms: good enough to start the long ones first and to fill batches, promised to nobody. */
export function estimatedCostMs(scenario: Scenario): number {
  const scheme = scenario.scheme === 'counting' ? 1 : blsFactor;
  return (
    scheme * (protocols[scenario.protocol].floodedMessages(scenario) * msPerFloodedMessage + structuredCostMs(scenario))
  );
}

/** Behind Tor a run lasts seconds, and periods go on all the while. */
const torFactor = 5;

function structuredCostMs({ nodes, dead, attacks, referenceQuirks, tor, periodMs }: Scenario): number {
  const levels = Math.max(1, Math.log2(nodes));
  const absent = attacks.reduce((sum, { share }) => sum + share, dead);
  const factor = (referenceQuirks.length > 0 ? quirksFactor : 1) * (tor > 0 ? torFactor : 1);
  // At the usual 20 ms, half of the messages are periodic ones.
  const periods = 0.5 + 10 / periodMs;
  return msPerNodeLevel * nodes * levels * (1 + perDeadShare * absent) * periods * factor;
}

/** Points that travel together. */
export interface Batch {
  readonly points: readonly SweepPoint[];
  readonly costMs: number;
}

/** A batch of more points would make a message of more than 100 kB. */
export const mostBatchPoints = 100;

/**
 * Puts points together until a batch is worth its journey, the longest first, so that no core is left with a long run
 * at the end. The same points give the same batches.
 */
export function batches(points: readonly SweepPoint[], targetMs: number): Batch[] {
  const made: Batch[] = [];
  let batch: SweepPoint[] = [];
  let sumMs = 0;
  const costs = points.map((point) => ({ point, costMs: estimatedCostMs(point.scenario) }));
  costs.sort((a, b) => b.costMs - a.costMs);
  for (const { point, costMs } of costs) {
    batch.push(point);
    sumMs += costMs;
    if (sumMs < targetMs && batch.length < mostBatchPoints) continue;
    made.push({ points: batch, costMs: sumMs });
    batch = [];
    sumMs = 0;
  }
  if (batch.length > 0) made.push({ points: batch, costMs: sumMs });
  return made;
}
