import { toHex } from '@tutti/core/input';
import type { PeerTotals, RoundReport } from '@tutti/transports';
import { messageText } from '../cluster/multiSignature.ts';
import type { Context } from '../context.ts';
import type { Unwritten } from '../output/patientOutput.ts';
import { counted, grouped } from '../output/text.ts';

/** Totals of a node since its start. */
export interface NodeTotals extends PeerTotals {
  /** Number of rejected commands to start a round, because the round was already open or the command was invalid. */
  readonly commandsRefused: number;
  /** Number of lines for `--json-lines` and of documents for `--out-folder` that could not be written. */
  readonly unwritten: Readonly<Unwritten>;
}

/** Callbacks for the events of a node. */
export interface NodeLog {
  onStarted(round: number): void;
  /** Called when a round produces its first output. */
  onReached(report: RoundReport): void;
  /** Called when a round produces a heavier output. */
  onBetter(report: RoundReport): void;
  /** Called when a round has ended. */
  onClosed(report: RoundReport): void;
  /** Called every `intervalMs` milliseconds of the node's plan. */
  onInterval(totals: NodeTotals): void;
}

/** Returns a log that calls the given functions and ignores all other events. */
export function nodeLog(log: Partial<NodeLog>): NodeLog {
  return { onStarted() {}, onReached() {}, onBetter() {}, onClosed() {}, onInterval() {}, ...log };
}

/** Returns a log that forwards each event to several logs. */
export function allLogs(logs: readonly NodeLog[]): NodeLog {
  const each = (record: (log: NodeLog) => void): void => {
    for (const log of logs) record(log);
  };
  return {
    onStarted: (round) => each((log) => log.onStarted(round)),
    onReached: (report) => each((log) => log.onReached(report)),
    onBetter: (report) => each((log) => log.onBetter(report)),
    onClosed: (report) => each((log) => log.onClosed(report)),
    onInterval: (totals) => each((log) => log.onInterval(totals)),
  };
}

/**
 * Returns a log that writes one readable line per round, when the round reaches the threshold or ends without reaching
 * it.
 *
 * @param nodes number of registry entries. @param threshold number of signatures that an output must contain.
 */
export function textLog({ out }: Context, nodes: number, threshold: number): NodeLog {
  return nodeLog({
    onReached(report) {
      const signed = `${grouped(report.output!.weight)} of ${grouped(nodes)} signed`;
      out(
        `round ${report.round}: ${signed} after ${grouped(report.timeToThresholdUs! / 1000)} ms; ${traffic(report)}\n`,
      );
    },
    onClosed(report) {
      if (report.output !== undefined) return;
      const required = `${grouped(threshold)} of ${grouped(nodes)} signatures required`;
      out(`round ${report.round}: threshold not reached, ${required}; ${traffic(report)}\n`);
    },
  });
}

/**
 * Returns a log that writes one JSON document per line, for programs: `started`; `reached` at the first output of a
 * round; `round` at the end of a round; and `interval`.
 *
 * @param write called with a line, including its line break.
 */
export function jsonLog(write: (line: string) => void): NodeLog {
  const record = (type: string, fields: object): void =>
    write(`${JSON.stringify({ type, time: new Date().toISOString(), ...fields })}\n`);
  return nodeLog({
    onStarted: (round) => record('started', { round }),
    onReached: (report) => record('reached', roundFields(report)),
    onClosed: (report) => record('round', roundFields(report)),
    onInterval(totals) {
      const { rss, heapUsed, external } = process.memoryUsage();
      record('interval', { ...totals, rssBytes: rss, heapBytes: heapUsed, externalBytes: external });
    },
  });
}

function roundFields(report: RoundReport): object {
  const { round, seed, message, output, timeToThresholdUs, messagesSent, messagesReceived } = report;
  return {
    round,
    seed: toHex(seed),
    message: messageText(message),
    timeToThresholdMs: timeToThresholdUs === undefined ? null : timeToThresholdUs / 1000,
    signers: output?.weight ?? 0,
    signature: output === undefined ? null : toHex(output.signature),
    bitset: output === undefined ? null : toHex(output.bits),
    messagesSent,
    messagesReceived,
    bytesSent: report.bytesSent,
    bytesReceived: report.bytesReceived,
    checked: report.checked,
    refused: report.refused,
  };
}

function traffic({ messagesSent, bytesSent, messagesReceived, bytesReceived, checked }: RoundReport): string {
  return (
    `sent ${counted(messagesSent, 'message')}, ${grouped(bytesSent / 1000, 1)} kB; ` +
    `received ${grouped(messagesReceived)}, ${grouped(bytesReceived / 1000, 1)} kB; ${counted(checked, 'check')}`
  );
}
