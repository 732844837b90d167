import { percentiles, type RunPercentiles, type Spread } from '@tutti/simulation';
import { Counts, type RoundPlan, type RoundReport, type RoundSignature } from '@tutti/transports';
import type { FromMember, MemberReport } from './messages.ts';

/** Results that a process of a cluster reports after a round. */
export type Reported = Extract<FromMember, { type: 'reported' }>;

/** Cost of a round, over its nodes. */
export interface RoundFigures {
  /** Number of nodes that reported. */
  readonly live: number;
  readonly reached: number;
  readonly timeToThresholdMs: Spread;
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly bytesSent: Spread;
  readonly bytesReceived: Spread;
  readonly checked: Spread;
  readonly percentiles: RunPercentiles;
  readonly messagesDelivered: number;
  readonly events: number;
  /**
   * CPU time of all processes that host nodes, from the common start until all nodes had reached the threshold,
   * seconds.
   */
  readonly cpuSeconds: number;
  /** Peak memory of all processes together since their start, bytes. */
  readonly peakRssBytes: number;
}

export interface RoundOutcome {
  readonly plan: RoundPlan;
  /** Heaviest output. */
  readonly output: RoundSignature;
  readonly figures: RoundFigures;
}

/** Returns the result of a round, once all live nodes had reached the threshold. */
export function roundOutcome(plan: RoundPlan, members: readonly MemberReport[]): RoundOutcome {
  const reports = members.flatMap((member) => member.reports);
  const reached = reports.filter((report) => report.output !== undefined);
  const sum = (measure: (report: RoundReport) => number) =>
    reports.reduce((total, report) => total + measure(report), 0);
  const ranksOf = (measure: (report: RoundReport) => number) => percentiles(reports.map(measure));
  const cpuSeconds = members.reduce((total, member) => total + member.cpuSeconds, 0);
  return {
    plan,
    output: reached.map((report) => report.output!).reduce((best, one) => (one.weight > best.weight ? one : best)),
    figures: {
      live: reports.length,
      reached: reached.length,
      timeToThresholdMs: spreadOf(reached, (report) => report.timeToThresholdUs! / 1000),
      messagesSent: spreadOf(reports, (report) => report.messagesSent),
      messagesReceived: spreadOf(reports, (report) => report.messagesReceived),
      bytesSent: spreadOf(reports, (report) => report.bytesSent),
      bytesReceived: spreadOf(reports, (report) => report.bytesReceived),
      checked: spreadOf(reports, (report) => report.checked),
      percentiles: {
        timeToThresholdMs: percentiles(reached.map((report) => report.timeToThresholdUs! / 1000)),
        messagesSent: ranksOf((report) => report.messagesSent),
        messagesReceived: ranksOf((report) => report.messagesReceived),
        bytesSent: ranksOf((report) => report.bytesSent),
        checked: ranksOf((report) => report.checked),
      },
      messagesDelivered: sum((report) => report.messagesReceived),
      events: sum((report) => report.events),
      cpuSeconds: Math.round(cpuSeconds * 1000) / 1000,
      peakRssBytes: members.reduce(
        (total, member) => total + member.peakRssBytes,
        process.resourceUsage().maxRSS * 1024,
      ),
    },
  };
}

/** Returns the number of packets that all processes rejected so far, by code. */
export function refusedBy(members: readonly MemberReport[]): Record<string, number> {
  const refused = new Counts();
  for (const member of members) refused.addAll(member.refused);
  return refused.toRecord();
}

/** Returns the number of nodes of all processes that blacklisted an entry, by registry index. */
export function blacklistedBy(members: readonly Reported[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { blacklisted } of members)
    for (const [index, nodes] of blacklisted) counts.set(index, (counts.get(index) ?? 0) + nodes);
  return counts;
}

/** Returns the minimum, mean and maximum of a measure over the nodes. */
export function spreadOf<Report>(reports: readonly Report[], measure: (report: Report) => number): Spread {
  const values = reports.map(measure);
  return {
    min: Math.min(...values),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    max: Math.max(...values),
  };
}
