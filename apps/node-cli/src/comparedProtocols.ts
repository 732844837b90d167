import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { defaultScenario, type Scenario, type Spread, simulate, wireAttacks } from '@tutti/simulation';
import { slowFactor } from './cluster/cast.ts';
import { deliver, requireOutputs } from './cluster/deliver.ts';
import type { ClusterScenario } from './cluster/document.ts';
import { messageText } from './cluster/multiSignature.ts';
import { type ClusterProtocolName, clusterProtocolNames, protocolScenario } from './cluster/protocols.ts';
import type { ClusterOutcome, RoundOutcome } from './cluster/roundOutcome.ts';
import { type ClusterPlan, runCluster } from './cluster/runCluster.ts';
import type { ClusterOptions } from './clusterFlags.ts';
import { type ClusterScheme, plannedCluster } from './clusterRuns.ts';
import type { Context } from './context.ts';
import { counted, grouped, rowsTable } from './output/text.ts';

/** Time for preparing keys and sockets, in addition to the timeouts of the rounds, ms. */
const preparationMs = 60_000;

/**
 * Maximum number of nodes for which a simulation runs. With more nodes, the simulation of some protocols would take
 * minutes.
 */
const maxSimulated = 256;

/**
 * Assumptions of the simulation about this machine: time of a verification (ms), time of a message (µs), and latency of
 * a packet (ms). The verification time takes into account batches and the verdicts that nodes of a process share.
 */
const machine = { verifyMs: 0.3, perMessageUs: 50, network: 'constant:0.1' } as const;

/** Result of simulating the same scenario: the number of nodes that reached the threshold, and means over the nodes. */
interface Simulated {
  readonly reached: number;
  readonly timeToThresholdMs: number;
  readonly messagesSent: number;
  readonly checked: number;
}

/** Result for one protocol of a comparison. */
interface ComparedProtocol {
  readonly protocol: ClusterProtocolName;
  /** Number of honest nodes. */
  readonly live: number;
  /** Number of honest nodes that reached the threshold in time. */
  readonly reached: number;
  /** Times of the nodes that reached the threshold, ms; null if no node reached it. */
  readonly timeToThresholdMs: Spread | null;
  readonly messagesSent: Spread | null;
  readonly bytesSent: Spread | null;
  readonly checked: Spread | null;
  /** Number of signers of the heaviest output, which noble-curves verifies; null without an output. */
  readonly signers: number | null;
  readonly signature: string | null;
  readonly bitset: string | null;
  /** Result of the simulation; null for a cluster that is too large to simulate. */
  readonly simulated: Simulated | null;
}

/** Name of the document if `--out` is a folder. */
const documentName = 'protocols.json';

/** Output of `tutti cluster --protocol all --json`. */
export interface ComparisonDocument {
  readonly scenario: Omit<ClusterScenario, 'protocol'>;
  readonly version: string;
  readonly nodes: number;
  /** Message of the last round. */
  readonly message: string;
  readonly protocols: readonly ComparedProtocol[];
  readonly publicKeys: string | null;
  readonly registryFile: string | null;
  readonly verifiedBy: 'noble-curves';
  readonly wallSeconds: number;
}

/**
 * Runs one cluster per protocol, one after another. Prints a table or a document with the results, and writes the
 * document if `--out` is given. The clusters differ only in the protocol. `timeout` applies to each round separately.
 * If some nodes exceed the timeout, the times of the row cover only the nodes that reached the threshold. With several
 * rounds, a row covers the last round.
 *
 * @throws UsageError for an attack that is not possible on every protocol; EnvironmentError `timeout` if no node of any
 * protocol reached the threshold.
 */
export async function compareProtocols(
  options: ClusterOptions,
  scheme: ClusterScheme,
  context: Context,
): Promise<void> {
  const startedMs = performance.now();
  const planned = clusterProtocolNames.map((protocol) => plannedCluster({ ...options, protocol }, scheme));
  const { protocol: _, ...scenario } = planned[0]!.scenario;
  requireOutputs(options, documentName);
  const rows: ComparedProtocol[] = [];
  const rounds: RoundOutcome[] = [];
  let entries: ClusterOutcome['entries'] = [];
  for (const { plan } of planned) {
    const outcome = await outcomeInTime(plan, context);
    const round = outcome?.rounds.at(-1);
    rows.push(comparedProtocol(plan, round, simulated(options, plan)));
    if (outcome === undefined) continue;
    rounds.push(round!);
    entries = outcome.entries;
  }
  if (rounds.length === 0)
    throw new EnvironmentError('timeout', 'no node of any protocol reached the threshold; increase --timeout');
  await deliver(
    { entries, rounds },
    {
      out: options.out,
      name: documentName,
      json: options.json === true,
      startedMs,
      scheme: scheme.name,
      document: (keys, wallSeconds): ComparisonDocument => ({
        scenario,
        version,
        nodes: options.nodes,
        message: messageText(rounds[0]!.plan.message),
        protocols: rows,
        publicKeys: keys?.publicKeys ?? null,
        registryFile: keys?.registry ?? null,
        verifiedBy: 'noble-curves',
        wallSeconds,
      }),
      summary,
    },
    context,
  );
}

/** Runs a cluster. The promise resolves to undefined if no node reached the threshold in time. */
async function outcomeInTime(plan: ClusterPlan, context: Context): Promise<ClusterOutcome | undefined> {
  try {
    const patienceMs = plan.timeoutMs;
    return await runCluster(
      { ...plan, patienceMs, timeoutMs: preparationMs + plan.rounds.length * patienceMs },
      context,
    );
  } catch (error) {
    if (error instanceof EnvironmentError && error.code === 'timeout') return undefined;
    throw error;
  }
}

function comparedProtocol(
  { protocol, cast }: ClusterPlan,
  round: RoundOutcome | undefined,
  simulated: Simulated | null,
): ComparedProtocol {
  const { figures, output } = round ?? {};
  return {
    protocol,
    live: cast.honest,
    reached: figures?.reached ?? 0,
    timeToThresholdMs: figures?.timeToThresholdMs ?? null,
    messagesSent: figures?.messagesSent ?? null,
    bytesSent: figures?.bytesSent ?? null,
    checked: figures?.checked ?? null,
    signers: output?.weight ?? null,
    signature: output === undefined ? null : toHex(output.signature),
    bitset: output === undefined ? null : toHex(output.bits),
    simulated,
  };
}

/**
 * Simulates the scenario of a cluster with the same number of nodes per core. The result is null for a cluster that is
 * too large to simulate.
 */
function simulated(
  options: ClusterOptions,
  { protocol, cast, processes, config, nodes, emulate }: ClusterPlan,
): Simulated | null {
  if (nodes > maxSimulated) return null;
  const cores = Math.min(processes, availableParallelism());
  const scenario: Scenario = {
    ...defaultScenario,
    ...protocolScenario(protocol, config.disseminationPeriodMs),
    nodes,
    threshold: options.threshold,
    dead: options.dead,
    faults: options.slow === 0 ? [] : [{ kind: 'slow-nodes', nodes: { share: options.slow }, factor: slowFactor }],
    levelStartMs: config.levelStartMs,
    fastPath: config.fastPathPeers,
    batch: options.batch,
    priorities: options.priorities,
    network: emulate === 'aws' ? 'aws' : machine.network,
    verifyMs: machine.verifyMs,
    cpu: {
      ...defaultScenario.cpu,
      spread: 1,
      perMessageUs: machine.perMessageUs,
      nodesPerCore: Math.ceil(cast.honest / cores),
    },
    seed: options.seed,
  };
  const attacks = (options.attack ?? []).map(({ name, share }) => ({
    attack: wireAttacks.find((attack) => attack.name === name)!,
    share,
  }));
  const { reached, timeToThresholdMs, messagesSent, checked } = simulate(scenario, { attacks });
  return {
    reached,
    timeToThresholdMs: timeToThresholdMs.mean,
    messagesSent: messagesSent.mean,
    checked: checked.mean,
  };
}

function summary({ scenario, nodes, protocols, wallSeconds }: ComparisonDocument): string {
  const { processes, network, scheme, kernel } = scenario;
  return [
    `${counted(nodes, 'node')} in ${counted(processes, 'process', 'processes')}, ${network}, real ${scheme} signatures (${kernel}); means per node\n`,
    rowsTable(protocols, [
      ['protocol', ({ protocol }) => protocol],
      ['reached', ({ reached, live }) => `${reached} of ${live}`],
      ['first, ms', ({ timeToThresholdMs }) => timeToThresholdMs?.min],
      ['mean, ms', ({ timeToThresholdMs }) => timeToThresholdMs?.mean],
      ['last, ms', ({ timeToThresholdMs }) => timeToThresholdMs?.max],
      ['messages', ({ messagesSent }) => messagesSent?.mean, 1],
      ['bytes', ({ bytesSent }) => bytesSent?.mean],
      ['checks', ({ checked }) => checked?.mean, 1],
      ['simulated: mean, ms', ({ simulated }) => simulated?.timeToThresholdMs],
      ['simulated: messages', ({ simulated }) => simulated?.messagesSent, 1],
      ['simulated: checks', ({ simulated }) => simulated?.checked, 1],
    ]),
    `Each multi-signature is valid, as noble-curves confirms. It took ${grouped(wallSeconds, 2)} s.\n`,
  ].join('\n');
}
