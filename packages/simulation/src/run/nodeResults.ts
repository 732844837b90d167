import type { World } from '../world/world.ts';
import type { Metrics } from './metrics.ts';

/** Result of one node of a run. Times are since the run's common start. */
export interface NodeResult {
  readonly node: number;
  /** Name of the node's region. */
  readonly region: string;
  readonly role: 'honest' | 'dead' | 'byzantine';
  /** Time of the node's first output, ms; null if it had none. */
  readonly timeToThresholdMs: number | null;
  readonly messagesSent: number;
  readonly messagesReceived: number;
  readonly bytesSent: number;
  /** Number of contributions that the node verified, and number of invalid ones among them. */
  readonly checked: number;
  readonly checkedInvalid: number;
  /** Number of verifications that the node ran, and their CPU time, ms. */
  readonly checks: number;
  readonly checkingMs: number;
}

/** Returns the result of each node, in the order of their ids. */
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

/** Values that 50 %, 90 % and 99 % of the nodes do not exceed. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Percentiles over the live nodes; for the time, over those that reached the threshold. Null if there is no node. */
export interface RunPercentiles {
  readonly timeToThresholdMs: Percentiles | null;
  readonly messagesSent: Percentiles | null;
  readonly messagesReceived: Percentiles | null;
  readonly bytesSent: Percentiles | null;
  readonly checked: Percentiles | null;
}

/** Returns the percentiles of the nodes' counters and times. */
export function runPercentiles({ alive }: World, metrics: Metrics): RunPercentiles {
  const isLive = (id: number) => alive[id] === 1;
  return {
    timeToThresholdMs: percentiles(metrics.reachedUs, (id) => metrics.reachedUs[id]! >= 0, 1000),
    messagesSent: percentiles(metrics.messagesSent, isLive),
    messagesReceived: percentiles(metrics.messagesReceived, isLive),
    bytesSent: percentiles(metrics.bytesSent, isLive),
    checked: percentiles(metrics.checked, isLive),
  };
}

function percentiles(values: Int32Array | Float64Array, counts: (id: number) => boolean, unit = 1): Percentiles | null {
  const sorted = Float64Array.from(values)
    .filter((_, id) => counts(id))
    .sort();
  if (sorted.length === 0) return null;
  // The nearest rank: the smallest value that this share of the nodes does not exceed.
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]! / unit;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
