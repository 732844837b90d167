import { type ClusterDocument, type ClusterScenario, clusterDocument, type KeyFiles } from '@tutti/node-cli/clusters';
import type { kernelName } from '@tutti/node-cli/command';
import type { Fault } from '@tutti/simulation';
import type { TestbedOutcome } from './runTestbed.ts';

/** Settings of a run, as contained in the output document. */
export interface TestbedScenario extends ClusterScenario {
  readonly kernel: ReturnType<typeof kernelName>;
  readonly hosts: number;
  readonly nodesPerHost: number;
  readonly latency: string;
  readonly jitter: 'internet' | 'none';
  /** Rate of each host's link in each direction, Mbit/s; null for links with unlimited rate. */
  readonly rateMbit: number | null;
  /** Faults of the run. Nodes in the plan are hosts. */
  readonly faults: readonly Fault[];
}

/** Output of `tutti testbed --json`: the output of `tutti cluster` for the live nodes, and the network's counters. */
export interface TestbedDocument extends ClusterDocument {
  readonly scenario: TestbedScenario;
  /** Number of packets between hosts by result, and number of crashes, restarts and pauses of hosts. */
  readonly network: Readonly<Record<string, number>>;
  /**
   * CPU time of the router and the link processes, s, rounded to 0.01 s. The time is measured from the common start
   * until all live nodes had reached the threshold. This time is not part of `cpuSeconds`.
   */
  readonly networkCpuSeconds: number;
}

/** Returns the output document of a run. @param wallSeconds duration of the command, s. */
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
