import { version } from '@tutti/core';
import type { Digest } from '../engine/digest.ts';
import type { RunEnd, RunResult } from '../scenario/result.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { World } from '../world/world.ts';
import { type Metrics, spread } from './metrics.ts';
import { runPercentiles } from './nodeResults.ts';
import type { RunOutputs } from './outputs.ts';
import type { Roles } from './roles.ts';

/** The present state of a run. */
interface Run {
  readonly scenario: Scenario;
  readonly world: World;
  readonly metrics: Metrics;
  readonly outputs: RunOutputs;
  readonly roles: Roles;
  readonly digest: Digest;
  readonly ended: RunEnd;
  readonly events: number;
  readonly delivered: number;
}

function stakeOf(
  { stakes, quorum, alive }: World,
  { stakeShare }: Metrics,
  hasReached: (id: number) => boolean,
): NonNullable<RunResult['stake']> {
  let live = 0n;
  for (const [id, lives] of alive.entries()) if (lives === 1) live += stakes!.weight(id);
  return {
    total: String(stakes!.total),
    live: String(live),
    required: String(quorum!.requirements[0]!.least),
    signed: spread(stakeShare, hasReached),
  };
}

/** Returns the result of a run from its counters. */
export function runResult({
  scenario,
  world,
  metrics,
  outputs,
  roles,
  digest,
  ended,
  events,
  delivered,
}: Run): RunResult {
  const { nodes, seed } = scenario;
  const { alive, live, startUs, threshold } = world;
  const isLive = (id: number): boolean => alive[id] === 1;
  const hasReached = (id: number): boolean => metrics.reachedUs[id]! >= 0;
  return {
    scenario,
    seed,
    version,
    digest: digest.toString(),
    nodes,
    live,
    reached: outputs.reached,
    ended,
    threshold,
    ...(world.stakes === undefined ? {} : { stake: stakeOf(world, metrics, hasReached) }),
    signers: spread(metrics.signers, hasReached),
    timeToThresholdMs: spread(metrics.reachedUs, hasReached, 0.001),
    untilThreshold: {
      timeMs: spread(
        metrics.reachedUs.map((us, id) => us - startUs[id]!),
        hasReached,
        0.001,
      ),
      messagesSent: spread(metrics.messagesSentByThen, hasReached),
      messagesReceived: spread(metrics.messagesReceivedByThen, hasReached),
      bytesSent: spread(metrics.bytesSentByThen, hasReached),
      checked: spread(metrics.checkedByThen, hasReached),
    },
    messagesSent: spread(metrics.messagesSent, isLive),
    messagesReceived: spread(metrics.messagesReceived, isLive),
    bytesSent: spread(metrics.bytesSent, isLive),
    checked: spread(metrics.checked, isLive),
    checkedInvalid: spread(metrics.checkedInvalid, isLive),
    checks: spread(metrics.checks, isLive),
    checkingMs: spread(metrics.checkingUs, isLive, 0.001),
    keptInts: spread(
      roles.handel.map((node) => node?.maxInts() ?? 0),
      isLive,
    ),
    percentiles: runPercentiles(world, metrics),
    refused: Object.fromEntries(metrics.refused),
    injected: roles.faults?.counts.toRecord() ?? {},
    messagesDelivered: delivered,
    events: events,
  };
}
