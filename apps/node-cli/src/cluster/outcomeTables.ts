import { columnTable, grouped, spreadTable } from '../output/text.ts';
import type { ClusterDocument } from './document.ts';

/** Returns the table of measurements over the nodes. */
export function measuredTable(document: ClusterDocument): string {
  const { percentiles } = document;
  return spreadTable([
    ['time to threshold, ms', { ...document.timeToThresholdMs, ...percentiles.timeToThresholdMs }, 1],
    ['messages sent', { ...document.messagesSent, ...percentiles.messagesSent }],
    ['messages received', { ...document.messagesReceived, ...percentiles.messagesReceived }],
    ['bytes sent', { ...document.bytesSent, ...percentiles.bytesSent }],
    ['bytes received', document.bytesReceived],
    ['contributions checked', { ...document.checked, ...percentiles.checked }],
  ]);
}

/** Returns the table of costs of several rounds. */
export function roundsTable(rounds: NonNullable<ClusterDocument['rounds']>): string {
  return columnTable(
    [
      'round',
      'signers',
      'to threshold, ms: mean',
      'max',
      'sent per node',
      'checks per node',
      'CPU, s',
      'peak memory, MB',
    ],
    rounds.map(({ round, signers, timeToThresholdMs, messagesSent, checked, cpuSeconds, peakRssBytes }) => [
      String(round),
      grouped(signers),
      grouped(timeToThresholdMs.mean, 1),
      grouped(timeToThresholdMs.max, 1),
      grouped(messagesSent.mean, 1),
      grouped(checked.mean, 1),
      grouped(cpuSeconds, 2),
      grouped(peakRssBytes / 1e6),
    ]),
  );
}

/** Returns the number of rejected packets by code, as text. */
export function refusedText(refused: Readonly<Record<string, number>>): string {
  const refusals = Object.entries(refused).map(([code, count]) => `${grouped(count)} ${code}`);
  return refusals.length === 0 ? 'nothing' : refusals.join(', ');
}

/** Returns the rows of the table that a cluster prints: a label and its value. */
export function outcomeRows(document: ClusterDocument): (readonly [string, string])[] {
  return [
    ['refused', refusedText(document.refused)],
    [
      'took',
      `${grouped(document.wallSeconds, 2)} s; ${grouped(document.cpuSeconds, 2)} s of CPU time to the threshold`,
    ],
    ['message', JSON.stringify(document.message)],
    ['signed by', `${grouped(document.signers)} of ${grouped(document.nodes)}, as noble-curves confirms`],
    ['bitset', document.bitset],
    ['signature', document.signature],
    ...(document.publicKeys === null ? [] : [['public keys', document.publicKeys] as const]),
  ];
}
