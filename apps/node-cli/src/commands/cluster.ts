import { availableParallelism } from 'node:os';
import { type Impairment, looksLikeIdentity, NO_IMPAIRMENT, toHex } from '@tutti/transports';
import { Command } from 'commander';
import { defaultPeriodMs, defaultPeriodText } from '../cluster/defaultPeriod.ts';
import { type ClusterDocument, type ClusterScenario, clusterDocument } from '../cluster/document.ts';
import { confirmedKeys, measuredTable, outcomeRows, outputPaths, portsText } from '../cluster/outcome.ts';
import { runCluster } from '../cluster/runCluster.ts';
import type { Context } from '../context.ts';
import { choiceFlag, durationFlag, integerFlag, numberFlag, seedFlag, thresholdFlag } from '../flags.ts';
import { impairmentFlag } from '../impairmentFlag.ts';
import { kernelName } from '../kernel.ts';
import { requireFolderOf, writeWhole } from '../output/files.ts';
import { grouped, pairTable } from '../output/tables.ts';
import { UsageError } from '../usageError.ts';

interface ClusterOptions {
  readonly nodes: number;
  readonly threshold: number;
  readonly period?: number;
  readonly levelStart: number;
  readonly fastPath: number;
  readonly message: string;
  readonly seed: number;
  readonly emulate: 'aws' | 'none';
  readonly impair?: Impairment;
  readonly processes?: number;
  readonly timeout: number;
  readonly json?: boolean;
  readonly out?: string;
  readonly portsFile?: string;
}

/** More processes than this gain nothing on a machine that people sit at. */
const MOST_PROCESSES = 4;

export function clusterCommand(context: Context): Command {
  return new Command('cluster')
    .description(
      'Run that many Handel nodes on UDP sockets of this machine, with real keys and signatures, until all have reached the threshold.',
    )
    .option('--nodes <n>', 'nodes, 1 to 4096', integerFlag('--nodes', 1, 4096), 64)
    .option('--threshold <share>', 'share of the nodes that an output needs', thresholdFlag, 0.99)
    .option('--period <ms>', `dissemination period; default: ${defaultPeriodText}`, durationFlag('--period', 1))
    .option('--level-start <ms>', 'time between the starts of levels', durationFlag('--level-start'), 50)
    .option('--fast-path <n>', 'peers contacted at once on a complete level', integerFlag('--fast-path', 0, 4096), 10)
    .option('--message <text>', 'what they sign', 'tutti')
    .option('--seed <n>', 'an integer from 0 to 4294967295; the same seed gives the same keys', seedFlag, 1)
    .option(
      '--emulate <network>',
      "aws delays each datagram by the paper's matrix; or none",
      choiceFlag('--emulate', ['aws', 'none']),
      'none',
    )
    .option(
      '--impair <shares>',
      'what happens to the packets sent, such as loss=0.2,duplication=0.1,reordering=0.1',
      impairmentFlag,
    )
    .option(
      '--processes <n>',
      'processes that host the nodes; default: the cores, 4 at most',
      integerFlag('--processes', 1, 64),
    )
    .option(
      '--timeout <s>',
      'give up after this time',
      numberFlag('--timeout', 'seconds, a number over 0 and at most 3600', (s) => s > 0 && s <= 3600),
      60,
    )
    .option('--json', 'print one JSON document')
    .option(
      '--out <file>',
      'also write the document there, and the public keys beside it; a directory gets a cluster.json',
    )
    .option(
      '--ports-file <file>',
      "write the nodes' sockets there just before the start, for tests that send them nonsense",
    )
    .action((options: ClusterOptions) => cluster(options, context));
}

async function cluster(options: ClusterOptions, context: Context): Promise<void> {
  const { nodes, seed, out, portsFile } = options;
  const message = new TextEncoder().encode(options.message);
  if (looksLikeIdentity(message)) throw new UsageError('--message: expected anything but the statement of an identity');
  for (const path of [out, portsFile]) if (path !== undefined) requireFolderOf(path);
  const kernel = kernelName();
  const startedMs = performance.now();
  const processes = Math.min(nodes, options.processes ?? Math.min(availableParallelism(), MOST_PROCESSES));
  const periodMs = options.period ?? defaultPeriodMs(nodes, processes);
  const outcome = await runCluster(
    {
      nodes,
      processes,
      kernel,
      message,
      seed,
      threshold: Math.max(1, Math.floor(options.threshold * nodes)),
      periodMs,
      levelStartMs: options.levelStart,
      fastPath: options.fastPath,
      emulate: options.emulate,
      impairment: options.impair,
      timeoutMs: options.timeout * 1000,
      onReady: (ready) => {
        if (portsFile !== undefined) writeWhole(portsFile, portsText(ready));
      },
    },
    context,
  );

  const publicKeys = await confirmedKeys(outcome, message, seed);
  const paths = outputPaths(out, options.json === true, 'cluster.json');
  if (paths !== undefined) writeWhole(paths.publicKeys, `${JSON.stringify(publicKeys.map(toHex), undefined, 1)}\n`);
  const scenario: ClusterScenario = {
    protocol: 'handel',
    nodes,
    threshold: options.threshold,
    network: options.emulate === 'aws' ? 'udp loopback, emulating aws' : 'udp loopback',
    scheme: 'bls',
    kernel,
    processes,
    periodMs,
    levelStartMs: options.levelStart,
    fastPath: options.fastPath,
    impairment: options.impair ?? NO_IMPAIRMENT,
    seed,
  };
  const wallSeconds = Math.round(performance.now() - startedMs) / 1000;
  const document = clusterDocument(scenario, options.message, outcome, paths?.publicKeys ?? null, wallSeconds);
  if (paths?.document !== undefined) writeWhole(paths.document, `${JSON.stringify(document, undefined, 2)}\n`);
  context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
}

function summary(document: ClusterDocument): string {
  const { scenario, nodes } = document;
  return [
    `handel, ${grouped(nodes)} nodes in ${scenario.processes} ${scenario.processes === 1 ? 'process' : 'processes'}, ${scenario.network}, real BLS (${scenario.kernel})`,
    `All ${grouped(nodes)} nodes reached ${scenario.threshold * 100} %.\n`,
    measuredTable(document),
    pairTable(outcomeRows(document)),
  ].join('\n');
}
