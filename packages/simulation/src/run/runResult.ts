import { version } from '@tutti/core';
import type { RunEnd, RunPercentiles, RunResult } from '../scenario/result.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { percentiles } from '../statistics/statistics.ts';
import type { World } from '../world/world.ts';
import { type Digest, type Metrics, spread } from './metrics.ts';
import type { RunOutputs } from './outputs.ts';
import type { Roles } from './roles.ts';

/** Current state of a run. */
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

/** Returns the weights of a result. The nodes must have different weights. */
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
    required: String(quorum!.requirements[0]!.min),
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
  const ownTimesUs = metrics.reachedUs.map((us, id) => us - startUs[id]!);
  const keptInts = Array.from({ length: nodes }, (_, id) => roles.handel[id]?.inspector.maxInts ?? 0);
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
      timeMs: spread(ownTimesUs, hasReached, 0.001),
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
    keptInts: spread(keptInts, isLive),
    percentiles: runPercentiles(world, metrics),
    refused: Object.fromEntries(metrics.refused),
    injected: roles.faults?.counts.toRecord() ?? {},
    messagesDelivered: delivered,
    events,
  };
}

/** Result of one node of a run. Times are measured from the run's common start. */
export interface NodeResult {
  readonly node: number;
  /** Name of the node's region. */
  readonly region: string;
  readonly role: 'honest' | 'dead' | 'byzantine';
  /** Time of the node's first output, ms; null if the node produced none. */
  readonly timeToThresholdMs: number | null;
  readonly messagesSent: number;
  readonly messagesReceived: number;
  readonly bytesSent: number;
  /** Number of contributions that the node verified, and number of invalid ones among them. */
  readonly checked: number;
  readonly checkedInvalid: number;
  /** Number of the node's checks, and the checks' CPU time, ms; a check verifies one or several contributions. */
  readonly checks: number;
  readonly checkingMs: number;
}

/** Returns the result of each node, in order of id. */
export function nodeResults({ network, alive, attack }: World, metrics: Metrics): NodeResult[] {
  const { region, regionNames } = network;
  return Array.from(alive, (lives, node) => {
    const reachedUs = metrics.reachedUs[node]!;
    return {
      node,
      region: regionNames[region[node]!] ?? '',
      role: attack[node]! >= 0 ? 'byzantine' : lives === 1 ? 'honest' : 'dead',
      timeToThresholdMs: reachedUs < 0 ? null : reachedUs / 1000,
      messagesSent: metrics.messagesSent[node]!,
      messagesReceived: metrics.messagesReceived[node]!,
      bytesSent: metrics.bytesSent[node]!,
      checked: metrics.checked[node]!,
      checkedInvalid: metrics.checkedInvalid[node]!,
      checks: metrics.checks[node]!,
      checkingMs: metrics.checkingUs[node]! / 1000,
    };
  });
}

/** Returns the percentiles of the nodes' counters and times. */
function runPercentiles({ alive }: World, metrics: Metrics): RunPercentiles {
  const reachedUs = metrics.reachedUs.filter((us) => us >= 0);
  const ofLive = (values: Int32Array | Float64Array) =>
    percentiles(Float64Array.from(values).filter((_, id) => alive[id] === 1));
  return {
    timeToThresholdMs: percentiles(Float64Array.from(reachedUs, (us) => us / 1000)),
    messagesSent: ofLive(metrics.messagesSent),
    messagesReceived: ofLive(metrics.messagesReceived),
    bytesSent: ofLive(metrics.bytesSent),
    checked: ofLive(metrics.checked),
  };
}
