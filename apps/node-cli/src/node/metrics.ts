import type { CertifyingGroup } from '@tutti/certificates/groups';
import type { PeerTotals } from '@tutti/transports';
import { requestTarget } from '@tutti/transports/node';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { listenAt, type RequestHandler, type RunningServer } from '../live/httpServer.ts';
import { type NodeLog, type NodeTotals, nodeLog } from './nodeLog.ts';

/**
 * Bounds of the histogram of the time to the threshold, seconds: the times range from a few nodes in one rack to
 * thousands of nodes behind Tor.
 */
const thresholdBucketsS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Name, description and value of a counter. */
type Sum<Totals> = readonly [name: string, help: string, of: (totals: Totals) => number];

const peerSums: readonly Sum<PeerTotals>[] = [
  ['tutti_messages_sent_total', 'Messages sent', (totals) => totals.messagesSent],
  [
    'tutti_messages_received_total',
    'Authenticated, well-formed messages received for an open round',
    (totals) => totals.messagesReceived,
  ],
  [
    'tutti_sent_bytes_total',
    'Bytes of sealed packets sent, without IP and transport headers',
    (totals) => totals.bytesSent,
  ],
  ['tutti_received_bytes_total', 'Bytes of authenticated packets received', (totals) => totals.bytesReceived],
  ['tutti_checks_total', 'Contributions submitted for verification', (totals) => totals.checked],
  ['tutti_rounds_started_total', 'Rounds started', (totals) => totals.roundsStarted],
  ['tutti_rounds_reached_total', 'Rounds that reached the threshold', (totals) => totals.roundsReached],
  ['tutti_rounds_missed_total', 'Rounds that ended without reaching the threshold', (totals) => totals.roundsMissed],
];

const nodeSums: readonly Sum<NodeTotals>[] = [
  ...peerSums,
  ['tutti_commands_refused_total', 'Skipped commands to start a round', (totals) => totals.commandsRefused],
];

const certifierSums: readonly Sum<ReturnType<CertifyingGroup['totals']>>[] = [
  ['tutti_certificates_total', 'Certified messages', (totals) => totals.certified],
  ['tutti_gave_up_total', 'Messages that did not collect enough signatures in time', (totals) => totals.gaveUp],
  ...peerSums,
];

/** Registers counters for totals and for rejections by code. The values of these counters are read on each request. */
function countTotals<Totals extends Pick<PeerTotals, 'refused'>>(
  registry: Registry,
  sums: readonly Sum<Totals>[],
  totals: () => Totals,
): void {
  for (const [name, help, of] of sums)
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(of(totals()));
      },
    });
  countByLabel(
    registry,
    'tutti_refused_total',
    'Refused packets and messages, by code',
    'code',
    () => totals().refused,
  );
}

function countByLabel(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  counts: () => Readonly<Record<string, number>>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [of, times] of Object.entries(counts())) this.inc({ [label]: of }, times);
    },
  });
}

/** Returns the metrics of a certifying member and of its process in Prometheus format. */
export function certifierMetrics(group: Pick<CertifyingGroup, 'totals' | 'counts' | 'members'>): Registry {
  const registry = new Registry();
  const registers = [registry];
  countTotals(registry, certifierSums, () => group.totals());
  for (const what of ['open', 'waiting', 'stored'] as const)
    new Gauge({
      name: `tutti_messages_${what}`,
      help: `Messages that are ${what}`,
      registers,
      collect() {
        this.set(group.counts[what]);
      },
    });
  new Gauge({
    name: 'tutti_lies',
    help: 'Invalid contributions, by sender',
    labelNames: ['member'],
    registers,
    collect() {
      this.reset();
      for (const { index, invalid } of group.members()) if (invalid > 0) this.set({ member: index }, invalid);
    },
  });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Returns the metrics of a node and of its process in Prometheus format.
 *
 * @param totals called on each request. @returns the metrics, and a log that updates all metrics other than totals.
 */
export function nodeMetrics(totals: () => NodeTotals): { readonly registry: Registry; readonly log: NodeLog } {
  const registry = new Registry();
  const registers = [registry];
  countTotals(registry, nodeSums, totals);
  countByLabel(
    registry,
    'tutti_unwritten_total',
    'Lines and documents that could not be written, for example because the disk is full',
    'what',
    () => ({ ...totals().unwritten }),
  );
  const timeToThreshold = new Histogram({
    name: 'tutti_time_to_threshold_seconds',
    help: 'Time from the start of a round to its first output',
    buckets: thresholdBucketsS,
    registers,
  });
  const round = new Gauge({ name: 'tutti_round', help: 'Number of the most recently started round', registers });
  collectDefaultMetrics({ register: registry });
  const log = nodeLog({
    onStarted: (number) => round.set(number),
    onReached: ({ timeToThresholdUs }) => timeToThreshold.observe(timeToThresholdUs! / 1e6),
  });
  return { registry, log };
}

/** Maximum number of open connections for reading a node's metrics. */
const maxConnections = 64;

/**
 * Serves GET /metrics.
 *
 * @param names host names of this server, in addition to its IP addresses, `localhost` and the machine's own names.
 * @throws EnvironmentError as thrown by `listenAt`.
 */
export function serveMetrics(
  registry: Registry,
  host: string,
  port: number,
  names: readonly string[] = [],
): Promise<RunningServer> {
  const answer: RequestHandler = async (request, response) => {
    if (request.method !== 'GET' || requestTarget(request.url)?.pathname !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const measures = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType }).end(measures);
  };
  return listenAt({ host, port }, answer, { names, maxConnections });
}
