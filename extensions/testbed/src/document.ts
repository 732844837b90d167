import { type ClusterDocument, type ClusterScenario, clusterDocument, type KeyFiles } from '@tutti/node-cli/clusters';
import type { Fault } from '@tutti/simulation';
import type { TestbedOutcome } from './runTestbed.ts';

/** Settings of a run, as the document contains them. */
export interface TestbedScenario extends ClusterScenario {
  readonly hosts: number;
  readonly nodesPerHost: number;
  readonly latency: string;
  readonly jitter: 'internet' | 'none';
  /** Rate of each host's link in either direction, Mbit/s; null for links with unlimited rate. */
  readonly rateMbit: number | null;
  /** Faults of the run. Nodes in the plan are hosts. */
  readonly faults: readonly Fault[];
}

/** Output of `tutti testbed --json`: that of `tutti cluster` for the live nodes, and the counters of the network. */
export interface TestbedDocument extends ClusterDocument {
  readonly scenario: TestbedScenario;
  /** Numbers of packets between hosts by result, and of hosts that crashed, restarted or paused. */
  readonly network: Readonly<Record<string, number>>;
  /**
   * CPU time of the router and the link processes, from the common start until all nodes had reached the threshold, s.
   * It is not part of `cpuSeconds`.
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
