import { availableParallelism } from 'node:os';
import type { RegistryScheme } from '@tutti/certificates';
import { looksLikeIdentity, type WireForm } from '@tutti/core';
import { noImpairment } from '@tutti/transports';
import type { Variant } from '@tutti/wasm-bls';
import { castOf } from './cluster/cast.ts';
import { type Delivery, deliver, portsText, requireOutputs } from './cluster/deliver.ts';
import {
  type ClusterDocument,
  type ClusterScenario,
  clusterDocument,
  measuredTable,
  outcomeRows,
  roundsTable,
} from './cluster/document.ts';
import { defaultPeriodMs, plannedRounds } from './cluster/plannedRounds.ts';
import { attackLine, attackOutcome, type ClusterOutcome } from './cluster/roundOutcome.ts';
import { type ClusterPlan, runCluster } from './cluster/runCluster.ts';
import { type ClusterOptions, requireAttacksOn } from './clusterFlags.ts';
import { type Context, UsageError } from './context.ts';
import { kernelName } from './kernel.ts';
import { handelConfig } from './nodeFlags.ts';
import { writeWhole } from './output/files.ts';
import { allCounted, counted, pairTable, reachedText } from './output/text.ts';

/** Maximum number of processes by default. More processes bring no benefit on a personal computer. */
const maxDefaultProcesses = 4;

/** Returns the number of processes for a cluster if the flags do not specify it: one per core, up to a maximum. */
export function defaultProcesses(): number {
  return Math.min(availableParallelism(), maxDefaultProcesses);
}

/** Name of the document if `--out` is a folder. */
const documentName = 'cluster.json';

/** Signature scheme of a cluster. */
export interface ClusterScheme {
  readonly name: RegistryScheme;
  /** Name of the scheme for use in a sentence, for example `Pixel`. */
  readonly title: string;
  /** URL of a `SignersModule`. Default: BLS. */
  readonly signers?: string;
  /** True if `more` requires the secret key of the first node after the last round. Default: false. */
  readonly stealsKey?: boolean;
  /** Variant of BLS. */
  readonly variant?: Variant | undefined;
  /** Form of signatures on the wire; BLS only. */
  readonly points?: WireForm;
  /** Period of the first round; only for a scheme with periods. */
  readonly firstPeriod?: number;
  /** Checks every signature of the result. Default: noble-curves, for BLS. */
  readonly confirm?: NonNullable<Delivery<ClusterDocument>['confirm']>;
  /** Returns additional fields for the document. */
  readonly more?: (outcome: ClusterOutcome) => Promise<object>;
}

/**
 * Checks the flags of a cluster.
 *
 * @returns the cluster that the flags describe, and the scenario for the document.
 * @throws UsageError for flags that cannot be combined.
 */
export function plannedCluster(
  options: ClusterOptions,
  scheme: ClusterScheme,
): { readonly plan: ClusterPlan; readonly scenario: ClusterScenario } {
  const { nodes, seed, portsFile, latency: emulate, protocol = 'handel', attack = [] } = options;
  const { name, signers, stealsKey = false, variant, points, firstPeriod } = scheme;
  requireAttacksOn(protocol, attack);
  const cast = castOf(nodes, options);
  const kernel = kernelName(signers === undefined && variant !== 'min-sig');
  const processes = Math.min(cast.honest, options.processes ?? defaultProcesses());
  const periodMs = options.period ?? defaultPeriodMs(nodes, processes);
  const rounds = plannedRounds(options.message, options.rounds, options.priorities, firstPeriod);
  if (rounds.some(({ message }) => looksLikeIdentity(message)))
    throw new UsageError('--message: expected a message other than an identity statement');
  const plan: ClusterPlan = {
    nodes,
    processes,
    kernel,
    signers,
    stealsKey,
    variant: variant ?? 'min-pk',
    seed,
    rounds: protocol === 'handel' ? rounds : rounds.map((round) => ({ ...round, protocol })),
    config: handelConfig({ ...options, period: periodMs }, cast.honest),
    ...(points !== undefined && { points }),
    emulate,
    impairment: options.impair,
    protocol,
    cast,
    timeoutMs: options.timeout * 1000,
    onReady: (ready) => {
      if (portsFile !== undefined) writeWhole(portsFile, portsText(ready));
    },
  };
  const scenario: ClusterScenario = {
    protocol,
    nodes,
    threshold: options.threshold,
    network: emulate === 'aws' ? 'UDP loopback with AWS delays' : 'UDP loopback',
    scheme: name,
    ...(variant !== undefined && { variant }),
    ...(points !== undefined && { points }),
    ...(firstPeriod !== undefined && { firstPeriod }),
    kernel,
    processes,
    periodMs,
    levelStartMs: options.levelStart,
    fastPath: options.fastPath,
    batch: options.batch,
    priorities: options.priorities,
    impairment: options.impair ?? noImpairment,
    dead: options.dead,
    slow: options.slow,
    attacks: attack,
    seed,
  };
  return { plan, scenario };
}

/**
 * Runs a cluster as its flags specify, prints the result, and writes the result if `--out` is given. With Byzantine
 * nodes, the function first runs the same cluster with dead nodes in their place, for comparison.
 */
export async function runAsAsked(
  options: ClusterOptions,
  scheme: ClusterScheme,
  context: Context,
): Promise<ClusterOutcome> {
  const { plan, scenario } = plannedCluster(options, scheme);
  requireOutputs(options, documentName);
  const { cast } = plan;
  const startedMs = performance.now();
  const silent = { ...plan, cast: { ...cast, byzantine: [] }, onReady() {}, stealsKey: false };
  const without = cast.byzantine.length === 0 ? undefined : await runCluster(silent, context);
  const outcome = await runCluster(plan, context);
  const more = {
    ...(without !== undefined && { attack: attackOutcome(cast, outcome, without) }),
    ...(await scheme.more?.(outcome)),
  };
  await deliver(
    outcome,
    {
      out: options.out,
      name: documentName,
      json: options.json === true,
      startedMs,
      scheme: scheme.name,
      ...(scheme.confirm !== undefined && { confirm: scheme.confirm }),
      document: (keys, wallSeconds) => ({ ...clusterDocument(scenario, outcome, keys, wallSeconds), ...more }),
      summary: (document) => summary(document, scheme.title),
    },
    context,
  );
  return outcome;
}

function summary(document: ClusterDocument, title: string): string {
  const { scenario, nodes, live, rounds, attack } = document;
  const { protocol } = scenario;
  return [
    `${protocol}, ${counted(nodes, 'node')} in ${counted(scenario.processes, 'process', 'processes')}, ${scenario.network}, real ${title} (${scenario.kernel})`,
    `${allCounted(live, live === nodes ? 'node' : 'honest node')} reached ${reachedText(scenario.threshold, document.threshold)}${rounds === undefined ? '' : `, in each of ${counted(rounds.length, 'round')}`}.\n`,
    ...(rounds === undefined ? [] : [roundsTable(rounds), 'Last round:\n']),
    measuredTable(document),
    pairTable([
      ...(attack === undefined ? [] : [['Byzantine nodes', attackLine(attack)] as const]),
      ...outcomeRows(document),
    ]),
  ].join('\n');
}
