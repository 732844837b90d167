import type { RegistryEntry } from '@tutti/core';
import { percentiles, type RunPercentiles, type Spread } from '@tutti/simulation';
import { spread } from '@tutti/simulation/engine';
import { Counts, type RoundPlan, type RoundReport, type RoundSignature } from '@tutti/transports';
import { ownPeakRssBytes, type ProcessCost } from '../output/progress.ts';
import { counted, grouped } from '../output/text.ts';
import { byzantineCount, type ClusterCast } from './cast.ts';
import type { FromMember, MemberReport } from './memberProcess.ts';

/** Results that a process of a cluster reports after each round. */
export type Reported = Extract<FromMember, { type: 'reported' }>;

/** Cost of a round across its nodes. */
export interface RoundFigures {
  /** Number of honest nodes that reported. All measurements are over these nodes, except times. */
  readonly live: number;
  /** Number of honest nodes that reached the threshold. */
  readonly reached: number;
  /** Times of the nodes that reached the threshold, ms. */
  readonly timeToThresholdMs: Spread;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  readonly bytesReceived: Spread;
  readonly checked: Spread;
  readonly percentiles: RunPercentiles;
  readonly messagesDelivered: number;
  readonly events: number;
  /** CPU time of the processes that host honest nodes, from the common start to the end of the round, seconds. */
  readonly cpuSeconds: number;
  /**
   * Sum of the peak memory of this process and of the processes that host honest nodes, each since its start, bytes.
   */
  readonly peakRssBytes: number;
}

/** Result of a round. */
export interface RoundOutcome {
  readonly plan: RoundPlan;
  /** Heaviest output of the nodes. */
  readonly output: RoundSignature;
  readonly figures: RoundFigures;
}

/** Result of running a cluster. */
export interface ClusterOutcome {
  readonly entries: readonly RegistryEntry[];
  /** Outcomes of the rounds, in the order of the plan. */
  readonly rounds: readonly RoundOutcome[];
  /** Number of packets that honest nodes rejected, per code, during and between all rounds. */
  readonly refused: Readonly<Record<string, number>>;
  /** Number of honest nodes that blacklisted an entry in any round, by the entry's registry index. */
  readonly blacklisted: ReadonlyMap<number, number>;
  /** Secret key of the first node after the last round, an insecure test key; only if the plan requests it. */
  readonly stolenKey?: Uint8Array;
}

/** Returns the result of a round in which at least one node has reached the threshold. */
export function roundOutcome(plan: RoundPlan, members: readonly MemberReport[]): RoundOutcome {
  const reports = members.flatMap((member) => member.reports);
  const reached = reports.filter((report) => report.output !== undefined);
  const sum = (measure: (report: RoundReport) => number) =>
    reports.reduce((total, report) => total + measure(report), 0);
  const timesMs = reached.map((report) => report.timeToThresholdUs! / 1000);
  const ranksOf = (name: 'messagesSent' | 'messagesReceived' | 'bytesSent' | 'checked') =>
    percentiles(reports.map((report) => report[name]));
  return {
    plan,
    output: reached.map((report) => report.output!).reduce((best, one) => (one.weight > best.weight ? one : best)),
    figures: {
      live: reports.length,
      reached: reached.length,
      timeToThresholdMs: spread(timesMs),
      ...spreadsOf(reports, ['messagesSent', 'messagesReceived', 'bytesSent', 'bytesReceived', 'checked']),
      percentiles: {
        timeToThresholdMs: percentiles(timesMs),
        messagesSent: ranksOf('messagesSent'),
        messagesReceived: ranksOf('messagesReceived'),
        bytesSent: ranksOf('bytesSent'),
        checked: ranksOf('checked'),
      },
      messagesDelivered: sum((report) => report.messagesReceived),
      events: sum((report) => report.events),
      ...processCost(members),
    },
  };
}

/** Returns the total CPU time of processes, and the sum of the peak memory of this process and of these processes. */
export function processCost(members: readonly ProcessCost[]): ProcessCost {
  const cpuSeconds = members.reduce((sum, member) => sum + member.cpuSeconds, 0);
  const peakRssBytes = members.reduce((sum, member) => sum + member.peakRssBytes, ownPeakRssBytes());
  return { cpuSeconds: Math.round(cpuSeconds * 1000) / 1000, peakRssBytes };
}

/** Returns the number of rejected packets per code, over all processes. */
export function refusedBy(members: readonly MemberReport[]): Record<string, number> {
  const refused = new Counts();
  for (const member of members) refused.addAll(member.refused);
  return refused.toRecord();
}

/** Returns the number of nodes that blacklisted an entry, over all processes, by the entry's registry index. */
export function blacklistedBy(members: readonly Reported[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { blacklisted } of members)
    for (const [index, nodes] of blacklisted) counts.set(index, (counts.get(index) ?? 0) + nodes);
  return counts;
}

/** Returns the minimum, mean and maximum of each named measurement over the nodes; zeros without nodes. */
export function spreadsOf<Name extends string>(
  reports: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, Spread> {
  const entries = names.map((name) => [name, spread(reports.map((report) => report[name]))]);
  return Object.fromEntries(entries);
}

const costs = ['timeToThresholdMs', 'messagesSent', 'bytesSent', 'checked'] as const;
type Cost = (typeof costs)[number];

/** Effect of the Byzantine nodes in a cluster. Means are over the honest nodes and over all rounds. */
export interface AttackOutcome {
  readonly attacks: readonly { readonly name: string; readonly nodes: number }[];
  readonly liars: number;
  readonly honest: number;
  /** Number of honest nodes that reached the threshold, as the minimum over the rounds. */
  readonly reached: number;
  /** Mean cost per honest node. Times are in ms. */
  readonly cost: Readonly<Record<Cost, number>>;
  /** Mean cost per honest node in a cluster with the same seed and silent Byzantine nodes. */
  readonly costWithoutLiars: Readonly<Record<Cost, number>>;
  /** Ratio of each `cost` to the same cost in `costWithoutLiars`; null if the latter is 0. */
  readonly ratio: Readonly<Record<Cost, number | null>>;
  readonly blacklisted: {
    /** Number of Byzantine nodes that at least one honest node blacklisted. */
    readonly liars: number;
    /** Number of honest nodes that at least one honest node blacklisted. */
    readonly honest: number;
    /** Mean over the Byzantine nodes of the number of honest nodes that blacklisted the Byzantine node. */
    readonly nodesPerLiar: number;
  };
}

/**
 * Compares a cluster under attack with the same cluster without the attack.
 *
 * @param without outcome of the same cluster with silent Byzantine nodes.
 */
export function attackOutcome(cast: ClusterCast, outcome: ClusterOutcome, without: ClusterOutcome): AttackOutcome {
  const { honest, byzantine: groups } = cast;
  const liars = byzantineCount(cast);
  const cost = costOf(outcome);
  const costWithoutLiars = costOf(without);
  const listed = [...outcome.blacklisted];
  const liarsListed = listed.filter(([index]) => index >= honest);
  return {
    attacks: groups.map(({ attack, first, end }) => ({ name: attack, nodes: end - first })),
    liars,
    honest,
    reached: Math.min(...outcome.rounds.map(({ figures }) => figures.reached)),
    cost,
    costWithoutLiars,
    ratio: record((name) => (costWithoutLiars[name] === 0 ? null : cost[name] / costWithoutLiars[name])),
    blacklisted: {
      liars: liarsListed.length,
      honest: listed.length - liarsListed.length,
      nodesPerLiar: liars === 0 ? 0 : liarsListed.reduce((sum, [, nodes]) => sum + nodes, 0) / liars,
    },
  };
}

function costOf({ rounds }: Pick<ClusterOutcome, 'rounds'>): Record<Cost, number> {
  return record((name) => {
    const means = rounds.map(({ figures }) => (figures[name] satisfies Spread).mean);
    return means.reduce((sum, mean) => sum + mean, 0) / means.length;
  });
}

function record<T>(of: (name: Cost) => T): Record<Cost, T> {
  return Object.fromEntries(costs.map((name) => [name, of(name)])) as Record<Cost, T>;
}

/** Returns a line of text that describes the effect of the Byzantine nodes. */
export function attackLine({ attacks, honest, reached, ratio, blacklisted, liars }: AttackOutcome): string {
  const names = attacks.map(({ name, nodes }) => `${grouped(nodes)} ${name}`).join(', ');
  const times = (name: Cost) => (ratio[name] === null ? '-' : `×${grouped(ratio[name], 1)}`);
  const wronged = blacklisted.honest === 0 ? 'no honest node' : counted(blacklisted.honest, 'honest node');
  return [
    `${names}: ${grouped(reached)} of ${counted(honest, 'honest node')} reached the threshold`,
    `time ${times('timeToThresholdMs')}, messages ${times('messagesSent')}, verifications ${times('checked')} compared with one run of the same cluster with silent attackers (times vary between runs)`,
    `${grouped(blacklisted.liars)} of ${counted(liars, 'attacker')} blacklisted (mean over all attackers: by ${grouped(blacklisted.nodesPerLiar, 1)} honest nodes); ${wronged} blacklisted`,
  ].join('; ');
}
