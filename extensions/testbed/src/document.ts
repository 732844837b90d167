import { type ClusterDocument, type ClusterScenario, clusterDocument, type KeyFiles } from '@tutti/node-cli/clusters';
import type { Fault } from '@tutti/simulation';
import type { TestbedOutcome } from './runTestbed.ts';

/** What was asked for, as it stands in the document. */
export interface TestbedScenario extends ClusterScenario {
  readonly hosts: number;
  readonly nodesPerHost: number;
  readonly latency: string;
  readonly jitter: 'internet' | 'none';
  /** Of each host's cable, in either direction, megabits a second; null for cables that take no time. */
  readonly rateMbit: number | null;
  /** Their nodes are hosts. */
  readonly faults: readonly Fault[];
}

/**
 * What `tutti testbed --json` prints: what `tutti cluster` prints, of the nodes that live, and what the network did.
 */
export interface TestbedDocument extends ClusterDocument {
  readonly scenario: TestbedScenario;
  /** Packets between hosts, by what became of them; hosts that crashed, restarted or paused. */
  readonly network: Readonly<Record<string, number>>;
  /**
   * Of the router and the cables, from the common start until all had reached the threshold; not part of `cpuSeconds`.
   */
  readonly networkCpuSeconds: number;
}

export function testbedDocument(
  scenario: TestbedScenario,
  outcome: TestbedOutcome,
  keys: KeyFiles | undefined,
  wallSeconds: number,
): TestbedDocument {
  return {
    ...clusterDocument(scenario, outcome, keys, wallSeconds),
    scenario,
    network: outcome.counts,
    networkCpuSeconds: Math.round(outcome.networkCpuSeconds * 100) / 100,
  };
}
