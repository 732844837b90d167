import { availableParallelism } from 'node:os';
import type { WireForm } from '@tutti/core';
import { scenarioTable } from '@tutti/simulation/internal';
import { looksLikeIdentity, toHex } from '@tutti/transports';
import { type CertificateForm, certificateForms } from '@tutti/transports/certificates';
import { noImpairment } from '@tutti/transports/raw';
import type { Variant } from '@tutti/wasm-bls';
import { lastTime, loadPixel, stolenKeyReport } from '@tutti/wasm-bls/pixel';
import { Command, Option } from 'commander';
import { certificateBy } from '../certify/certificateFiles.ts';
import { defaultPeriodMs, defaultPeriodText } from '../cluster/defaultPeriod.ts';
import { type ClusterDocument, type ClusterScenario, clusterDocument } from '../cluster/document.ts';
import { deliver, measuredTable, outcomeRows, portsText, roundsTable } from '../cluster/outcome.ts';
import { plannedRounds } from '../cluster/plannedRounds.ts';
import { type ClusterOutcome, runCluster } from '../cluster/runCluster.ts';
import { clusterSchemes } from '../cluster/signers.ts';
import { forceFlag, jsonFlag } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choice, type FlagsOf, fieldFlag, flag, integer, withFlags, words } from '../flags.ts';
import { type HandelFlags, handelConfig, withHandelFlags } from '../handelFlags.ts';
import { impairmentFlag } from '../impairmentFlag.ts';
import { type InsecureRunOptions, withInsecureRunFlags } from '../insecureRunFlags.ts';
import { kernelName, variantOption } from '../kernel.ts';
import { counted } from '../numbers.ts';
import { requireNamed, writeWhole } from '../output/files.ts';
import { pairTable } from '../output/tables.ts';
import { reachedText } from '../output/thresholds.ts';
import { UsageError } from '../usageError.ts';

const mostRounds = 10_000;

/** More processes than this gain nothing on a machine that people sit at. */
const mostProcesses = 4;

const nodeFlags = { nodes: flag('<n>', 'nodes, 1 to 4096', integer(1, 4096), 64) };

const schemeFlags = {
  scheme: flag('<name>', 'bls; or pixel, whose keys are updated every round', choice(clusterSchemes), 'bls'),
};

const ownFlags = {
  points: flag(
    '<name>',
    'how signatures of bls travel: compressed; or uncompressed, at twice the bytes, read without a square root',
    choice<WireForm>(['compressed', 'uncompressed']),
    'compressed',
  ),
  pixelPeriod: flag('<n>', "with --scheme pixel, the first round's period (default: 1)", integer(1, lastTime)),
};

const runFlags = {
  rounds: flag(
    '<n>',
    'rounds, one after another on the same sockets, each until all have reached the threshold',
    integer(1, mostRounds),
    1,
  ),
  emulate: flag('<model>', "aws delays each datagram by the paper's matrix; or none", choice(['aws', 'none']), 'none'),
  impair: flag(
    '<shares>',
    'what happens to the packets sent, such as loss=0.2,duplication=0.1,reordering=0.1',
    () => impairmentFlag,
  ),
  processes: flag('<n>', 'processes that host the nodes; default: the cores, 4 at most', integer(1, 64)),
  json: jsonFlag,
  out: flag(
    '<file>',
    'also write the document to this file, and the public keys beside it; a directory gets a cluster.json',
    words,
  ),
  certificate: flag('<file>', "also write the last round's certificate to this file, in the form of --format", words),
  format: flag(
    '<name>',
    `with --certificate: ${certificateForms.join(', ')} (default: tutti)`,
    choice<CertificateForm>(certificateForms),
  ),
  force: forceFlag,
  portsFile: flag(
    '<file>',
    "write the nodes' sockets to this file just before the start, for tests that attack them",
    words,
  ),
};

type ClusterOptions = HandelFlags &
  InsecureRunOptions &
  FlagsOf<typeof nodeFlags & typeof schemeFlags & typeof ownFlags & typeof runFlags> & {
    readonly variant?: Variant;
    readonly disseminationPeriod?: number;
  };

export function clusterCommand(context: Context): Command {
  const command = new Command('cluster').description(
    'Run Handel nodes over UDP on this machine, with real keys and signatures, until all have reached the threshold.',
  );
  withFlags(command, nodeFlags, { nodes: 'n' });
  withHandelFlags(command, { text: `the dissemination period, ms (default: ${defaultPeriodText})` });
  withInsecureRunFlags(command, {
    message: 'what they sign; {round} stands for the round number, which otherwise follows the text',
    seed: 'keys',
    timeout: ', all rounds together',
    timeoutSeconds: 60,
  });
  withFlags(command, schemeFlags).addOption(variantOption('with --scheme bls'));
  // What --period was with Pixel.
  withFlags(command, ownFlags).addOption(
    new Option('--dissemination-period <ms>')
      .argParser(fieldFlag({ ...scenarioTable.periodMs, name: 'dissemination-period' }))
      .conflicts('period')
      .hideHelp(),
  );
  return withFlags(command, runFlags).action((options: ClusterOptions) => cluster(options, context));
}

async function cluster(options: ClusterOptions, context: Context): Promise<void> {
  const { nodes, seed, out, portsFile, emulate, certificate, format } = options;
  requireFitting(options);
  const kernel = kernelName();
  const startedMs = performance.now();
  const processes = Math.min(nodes, options.processes ?? Math.min(availableParallelism(), mostProcesses));
  const firstPeriod = options.scheme === 'pixel' ? firstPeriodOf(options) : undefined;
  const periodMs = options.period ?? options.disseminationPeriod ?? defaultPeriodMs(nodes, processes);
  const outcome = await runCluster(
    {
      nodes,
      processes,
      kernel,
      scheme: options.scheme,
      variant: options.variant ?? 'min-pk',
      seed,
      rounds: plannedRounds(options.message, options.rounds, options.priorities, firstPeriod),
      config: handelConfig({ ...options, period: periodMs }, nodes),
      points: options.points,
      emulate,
      impairment: options.impair,
      timeoutMs: options.timeout * 1000,
      onReady: (ready) => {
        if (portsFile !== undefined) writeWhole(portsFile, portsText(ready));
      },
    },
    context,
  );

  const scenario: ClusterScenario = {
    protocol: 'handel',
    nodes,
    threshold: options.threshold,
    network: emulate === 'aws' ? 'udp loopback, emulating aws' : 'udp loopback',
    scheme: options.scheme,
    ...(options.variant === undefined ? {} : { variant: options.variant }),
    ...(firstPeriod === undefined ? { points: options.points } : { firstPeriod }),
    kernel,
    processes,
    periodMs,
    levelStartMs: options.levelStart,
    fastPath: options.fastPath,
    batch: options.together,
    priorities: options.priorities,
    impairment: options.impair ?? noImpairment,
    seed,
  };
  const stolenKey = firstPeriod === undefined ? undefined : await thiefsReport(outcome, kernel);
  await deliver(
    outcome,
    {
      out,
      name: 'cluster.json',
      json: options.json === true,
      startedMs,
      scheme: options.scheme,
      document: (keys, wallSeconds) => clusterDocument(scenario, outcome, keys, wallSeconds, stolenKey),
      summary,
    },
    context,
  );
  if (certificate !== undefined) writeWhole(certificate, [await certificateOfLast(outcome, format)]);
}

/** Asks before anything runs. */
function requireFitting(options: ClusterOptions): void {
  const { out, portsFile, certificate, format } = options;
  if (looksLikeIdentity(new TextEncoder().encode(options.message)))
    throw new UsageError('--message: expected anything but the statement of an identity');
  if (certificate !== undefined && options.scheme !== 'bls')
    throw new UsageError(`--certificate: not with --scheme ${options.scheme}`);
  if (certificate === undefined && format !== undefined) throw new UsageError('--format: only with --certificate');
  for (const path of [out, portsFile, certificate])
    if (path !== undefined) requireNamed(path, options.force, 'cluster.json');
  if (options.scheme !== 'bls' && options.points !== 'compressed')
    throw new UsageError(`--points: expected compressed with --scheme ${options.scheme}, got ${options.points}`);
  if (options.scheme !== 'bls' && options.variant !== undefined)
    throw new UsageError(`--variant: not with --scheme ${options.scheme}`);
  if (options.scheme !== 'pixel' && options.pixelPeriod !== undefined)
    throw new UsageError(`--pixel-period: not with --scheme ${options.scheme}`);
}

/** The last round's period must be one too. */
function firstPeriodOf({ pixelPeriod = 1, rounds }: ClusterOptions): number {
  const last = lastTime - rounds + 1;
  if (pixelPeriod <= last) return pixelPeriod;
  throw new UsageError(`--pixel-period: expected an integer from 1 to ${last}, got ${pixelPeriod}`);
}

function certificateOfLast({ entries, rounds }: ClusterOutcome, form: CertificateForm = 'tutti'): Promise<Uint8Array> {
  const { plan, output } = rounds.at(-1)!;
  return certificateBy({ entries }, 'the cluster', { ...output, message: plan.message }, form);
}

/** Tries the first node's key, as it is after the last round, on all the rounds before. */
async function thiefsReport({ entries, rounds, stolenKey }: ClusterOutcome, kernel: 'wasm' | 'noble') {
  const messages = new Map(rounds.map(({ plan }) => [plan.period!, plan.message]));
  const periods = [...messages.keys()].slice(0, -1).reverse();
  const pixel = await loadPixel({ kernel });
  const { publicKey } = entries[0]!;
  const report = stolenKeyReport(pixel, publicKey, stolenKey, periods, (period) => messages.get(period)!);
  return { publicKey: toHex(publicKey), ...report };
}

const schemeInWords = ({ scheme, variant }: ClusterScenario): string =>
  scheme === 'pixel' ? 'Pixel' : variant === 'min-sig' ? 'BLS, min-sig' : 'BLS';

function summary(document: ClusterDocument): string {
  const { scenario, nodes, rounds } = document;
  return [
    `handel, ${counted(nodes, 'node')} in ${counted(scenario.processes, 'process', 'processes')}, ${scenario.network}, real ${schemeInWords(scenario)} (${scenario.kernel})`,
    `All ${counted(nodes, 'node')} reached ${reachedText(scenario.threshold, document.threshold)}${rounds === undefined ? '' : `, in each of ${counted(rounds.length, 'round')}`}.\n`,
    ...(rounds === undefined ? [] : [roundsTable(rounds), 'Of the last round:\n']),
    measuredTable(document),
    pairTable(outcomeRows(document)),
  ].join('\n');
}
