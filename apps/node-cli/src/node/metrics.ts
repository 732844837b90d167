import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { listenHttp, type RunningServer } from '../live/httpServer.ts';
import { type NodeLog, type NodeTotals, nodeLog } from './nodeLog.ts';

/** From a handful of nodes in one rack to thousands behind Tor, seconds. */
const thresholdBucketsS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The counters that are a peer's totals, each read when somebody asks. */
const totalsOf: readonly (readonly [name: string, help: string, of: (totals: NodeTotals) => number])[] = [
  ['tutti_messages_sent_total', 'Messages sent', (totals) => totals.messagesSent],
  [
    'tutti_messages_received_total',
    'Messages that were genuine, of an open round, and well-formed',
    (totals) => totals.messagesReceived,
  ],
  [
    'tutti_sent_bytes_total',
    'Bytes of sealed packets sent, without the headers of IP and of the transport',
    (totals) => totals.bytesSent,
  ],
  ['tutti_received_bytes_total', 'Bytes of genuine packets received', (totals) => totals.bytesReceived],
  ['tutti_checks_total', 'Contributions given to verification', (totals) => totals.checked],
  ['tutti_rounds_started_total', 'Rounds started', (totals) => totals.roundsStarted],
  ['tutti_rounds_reached_total', 'Rounds that reached the threshold', (totals) => totals.roundsReached],
  ['tutti_rounds_missed_total', 'Rounds that ended without reaching the threshold', (totals) => totals.roundsMissed],
  ['tutti_commands_refused_total', 'Commands to begin a round that were skipped', (totals) => totals.commandsRefused],
];

/** A node's metrics in the format of Prometheus, with those of its process. */
export class NodeMetrics {
  readonly registry = new Registry();
  /** What fills the measures that are no totals. */
  readonly log: NodeLog;

  constructor(totals: () => NodeTotals) {
    const registers = [this.registry];
    for (const [name, help, of] of totalsOf)
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(of(totals()));
        },
      });
    new Counter({
      name: 'tutti_refused_total',
      help: 'Packets and messages refused, by code',
      labelNames: ['code'],
      registers,
      collect() {
        this.reset();
        for (const [code, times] of Object.entries(totals().refused)) this.inc({ code }, times);
      },
    });
    new Counter({
      name: 'tutti_unwritten_total',
      help: 'Lines and documents that could not be written, as on a full disk',
      labelNames: ['what'],
      registers,
      collect() {
        this.reset();
        for (const [what, times] of Object.entries(totals().unwritten)) this.inc({ what }, times);
      },
    });
    const timeToThreshold = new Histogram({
      name: 'tutti_time_to_threshold_seconds',
      help: 'Time from the start of a round to its first output',
      buckets: thresholdBucketsS,
      registers,
    });
    const round = new Gauge({ name: 'tutti_round', help: 'The round that was started last', registers });
    collectDefaultMetrics({ register: this.registry });
    this.log = nodeLog({
      onStarted: (number) => round.set(number),
      onReached: ({ timeToThresholdUs }) => timeToThreshold.observe(timeToThresholdUs! / 1e6),
    });
  }
}

/**
 * Answers GET /metrics.
 *
 * @throws WorldError as `listenHttp` does.
 */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<RunningServer> {
  return listenHttp(host, port, async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const measures = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType }).end(measures);
  });
}
