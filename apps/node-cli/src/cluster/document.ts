import { createHash } from 'node:crypto';
import { type RunResult, type Spread, version } from '@tutti/core';
import { Counts, type HostReport, type Impairment, toHex } from '@tutti/transports';
import type { ClusterOutcome } from './runCluster.ts';

/** What was asked for, as it stands in the document. */
export interface ClusterScenario {
  readonly protocol: 'handel';
  readonly nodes: number;
  readonly threshold: number;
  /** In words. */
  readonly network: string;
  readonly scheme: 'bls';
  readonly kernel: string;
  readonly processes: number;
  readonly periodMs: number;
  readonly levelStartMs: number;
  readonly fastPath: number;
  /** What happened to the packets sent, on purpose. */
  readonly impairment?: Impairment;
  readonly seed: number;
}

/** What `tutti cluster --json` prints: what a simulation prints, and the multi-signature that came of it. */
export interface ClusterDocument
  extends Omit<RunResult, 'scenario' | 'ended' | 'checkedInvalid' | 'keptInts' | 'untilThreshold' | 'injected'> {
  readonly scenario: ClusterScenario;
  /** 16 hexadecimal digits over message, signers and signature: names the result, which differs from run to run. */
  readonly digest: string;
  readonly bytesReceived: Spread;
  /** What was refused, by code, over all nodes. */
  readonly refused: Readonly<Record<string, number>>;
  readonly message: string;
  readonly signers: number;
  /** 96 bytes, compressed G2, hexadecimal. */
  readonly signature: string;
  /** Hexadecimal; bit b & 7 of byte b >> 3 is the b-th key of `publicKeys`. */
  readonly bitset: string;
  /** Path of a JSON file: an array of public keys, 48 bytes each, compressed G1, hexadecimal. Null when none was written. */
  readonly publicKeys: string | null;
  readonly verifiedBy: 'noble-curves';
  /** From the start to the end of the command. */
  readonly wallSeconds: number;
  /** Of all processes that host nodes, from the common start until all had reached the threshold. */
  readonly cpuSeconds: number;
  /** All processes together. */
  readonly peakRssBytes: number;
}

export function clusterDocument(
  scenario: ClusterScenario,
  message: string,
  outcome: ClusterOutcome,
  publicKeys: string | null,
  wallSeconds: number,
): ClusterDocument {
  const { reports, heaviest } = outcome;
  const refused = new Counts();
  for (const report of reports) refused.addAll(report.refused);
  const sum = (measure: (report: HostReport) => number) =>
    reports.reduce((total, report) => total + measure(report), 0);
  const signature = toHex(heaviest.signature);
  const bitset = toHex(heaviest.bits);
  return {
    scenario,
    seed: scenario.seed,
    version,
    digest: createHash('sha256')
      .update(JSON.stringify([message, bitset, signature]))
      .digest('hex')
      .slice(0, 16),
    nodes: scenario.nodes,
    live: reports.length,
    reached: reports.filter((report) => report.timeToThresholdUs !== undefined).length,
    timeToThresholdMs: spreadOf(reports, ({ timeToThresholdUs = 0 }) => timeToThresholdUs / 1000),
    messagesSent: spreadOf(reports, (report) => report.messagesSent),
    messagesReceived: spreadOf(reports, (report) => report.messagesReceived),
    bytesSent: spreadOf(reports, (report) => report.bytesSent),
    bytesReceived: spreadOf(reports, (report) => report.bytesReceived),
    checked: spreadOf(reports, (report) => report.checked),
    messagesDelivered: sum((report) => report.messagesReceived),
    events: sum((report) => report.events),
    refused: refused.toRecord(),
    message,
    signers: heaviest.weight,
    signature,
    bitset,
    publicKeys,
    verifiedBy: 'noble-curves',
    wallSeconds,
    cpuSeconds: Math.round(outcome.cpuSeconds * 1000) / 1000,
    peakRssBytes: outcome.peakRssBytes,
  };
}

function spreadOf(reports: readonly HostReport[], measure: (report: HostReport) => number): Spread {
  const values = reports.map(measure);
  return {
    min: Math.min(...values),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    max: Math.max(...values),
  };
}
