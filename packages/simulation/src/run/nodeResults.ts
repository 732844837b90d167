import type { RunPercentiles } from '../scenario/result.ts';
import { percentiles } from '../statistics/statistics.ts';
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

/** Returns the percentiles of the nodes' counters and times. */
export function runPercentiles({ alive }: World, metrics: Metrics): RunPercentiles {
  const ofLive = (values: Int32Array | Float64Array) =>
    percentiles(Float64Array.from(values).filter((_, id) => alive[id] === 1));
  return {
    timeToThresholdMs: percentiles(
      Float64Array.from(
        metrics.reachedUs.filter((us) => us >= 0),
        (us) => us / 1000,
      ),
    ),
    messagesSent: ofLive(metrics.messagesSent),
    messagesReceived: ofLive(metrics.messagesReceived),
    bytesSent: ofLive(metrics.bytesSent),
    checked: ofLive(metrics.checked),
  };
}
