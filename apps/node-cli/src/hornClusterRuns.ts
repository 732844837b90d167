import { availableParallelism } from 'node:os';
import { slotClock } from '@tutti/core/horn';
import { toHex } from '@tutti/core/input';
import { looksLikeIdentity } from '@tutti/core/registry';
import { loadBls } from '@tutti/wasm-bls';
import { type HornClusterOutcome, maxFittingSeconds, runHornCluster } from './cluster/hornCluster.ts';
import { type HornClusterDocument, type HornClusterScenario, hornDocument } from './cluster/hornDocument.ts';
import { outputPaths, refusedText, signatureFault } from './cluster/outcome.ts';
import type { ClusterOptions } from './clusterRuns.ts';
import { maxProcesses } from './clusterRuns.ts';
import type { Context } from './context.ts';
import {
  type HornCastOptions,
  type HornClusterFlags,
  hornCast,
  hornClusterParameters,
  isSlotGiven,
} from './hornClusterFlags.ts';
import { kernelName } from './kernel.ts';
import { counted, grouped } from './numbers.ts';
import { requireNamed, writeWhole } from './output/files.ts';
import { columnTable, pairTable, spreadTable } from './output/tables.ts';
import { UsageError } from './usageError.ts';

type Options = HornClusterFlags &
  HornCastOptions &
  Pick<
    ClusterOptions,
    'nodes' | 'seed' | 'message' | 'timeout' | 'processes' | 'emulate' | 'impair' | 'json' | 'out' | 'force'
  >;

/** Runs a slot of Horn as its flags say, and prints what came of it once noble-curves has confirmed the block. */
export async function runHornAsAsked(options: Options, context: Context): Promise<void> {
  const { nodes, seed, out, json = false, emulate, impair, degree, transport, dead, attack = [], timeout } = options;
  const message = new TextEncoder().encode(`${options.message} 1`);
  if (looksLikeIdentity(message)) throw new UsageError('--message: expected anything but the statement of an identity');
  if (out !== undefined) requireNamed(out, options.force, 'cluster.json');
  const parameters = hornClusterParameters(options);
  const fitsSlot = !isSlotGiven(options);
  const slotMs = fitsSlot ? 1000 * maxFittingSeconds : slotClock('horn', parameters).endUs / 1000;
  const cast = hornCast(nodes, parameters.validators, options);
  const startedMs = performance.now();
  const processes = Math.min(nodes, options.processes ?? Math.min(availableParallelism(), maxProcesses));
  const kernel = kernelName();
  const outcome = await runHornCluster(
    {
      parameters,
      fitsSlot,
      nodes,
      degree,
      cast,
      processes,
      kernel,
      transport,
      message,
      seed,
      emulate,
      impairment: impair,
      timeoutMs: timeout * 1000 + slotMs,
    },
    context,
  );
  const publicKeys = keysByPlace(outcome);
  await confirmBlock(outcome, publicKeys, message);
  const scenario: HornClusterScenario = {
    protocol: 'horn',
    nodes,
    parameters: outcome.plan.parameters,
    degree,
    dead,
    attacks: attack,
    message: new TextDecoder().decode(message),
    network: emulate === 'aws' ? `${transport} loopback, emulating aws` : `${transport} loopback`,
    transport,
    kernel,
    processes,
    ...(impair !== undefined && { impairment: impair }),
    seed,
  };
  const paths = outputPaths(out, json, 'cluster.json');
  if (paths !== undefined)
    writeWhole(
      paths.publicKeys,
      `${JSON.stringify(
        publicKeys.map((key) => toHex(key)),
        undefined,
        1,
      )}\n`,
    );
  const wallSeconds = Math.round(performance.now() - startedMs) / 1000;
  const document = hornDocument(scenario, cast, outcome, paths?.publicKeys, wallSeconds);
  if (paths?.document !== undefined) writeWhole(paths.document, `${JSON.stringify(document, undefined, 2)}\n`);
  context.out(json ? `${JSON.stringify(document)}\n` : summary(document));
}

function keysByPlace({ plan, entries }: HornClusterOutcome): Uint8Array[] {
  return Array.from(plan.validatorAt, (validator) => entries[validator]!.publicKey);
}

/** @throws WorldError `invalid-signature`, with nothing printed or written. */
async function confirmBlock(
  { block }: HornClusterOutcome,
  publicKeys: readonly Uint8Array[],
  message: Uint8Array,
): Promise<void> {
  const noble = await loadBls({ engine: 'noble' });
  const round = noble.round(publicKeys, message);
  for (const { committee, first, bits, signature } of block.collections)
    if (!round.verify(first, bits, signature)) throw signatureFault(`the block's votes of committee ${committee}`);
  round.free();
}

function summary(document: HornClusterDocument): string {
  const { scenario, votes, live, block, phases, votesInReach, blacklisted } = document;
  const { parameters, nodes, processes, network, kernel, attacks, dead } = scenario;
  const { validators, committees, subcommittees } = parameters;
  const late = phases.filter(({ inTime, verified }) => verified > 0 && inTime < 0.99);
  const { attestUs, aggregateUs, collectUs, endUs } = slotClock('horn', parameters);
  const times = [attestUs, aggregateUs, collectUs, endUs].map((us) => grouped(us / 1e6, 2));
  const wrong = [
    ...(dead === 0 ? [] : [`${grouped(100 * dead)} % of the nodes dead`]),
    ...attacks.map(({ name, share }) => `${grouped(100 * share)} % ${name}`),
  ];
  return [
    `horn, ${counted(validators, 'validator')} on ${counted(nodes, 'node')} in ${counted(processes, 'process', 'processes')}, ${network}, real BLS (${kernel})${wrong.length === 0 ? '' : `; ${wrong.join(', ')}`}`,
    `${counted(committees, 'committee')} of ${counted(subcommittees, 'subcommittee')}. Votes are due at ${times[0]} s, aggregates at ${times[1]} s, collections at ${times[2]} s, the block at ${times[3]} s.`,
    `${grouped(votes.inBlock)} of ${counted(votes.cast, 'vote')} of live honest validators are in the block (${grouped(100 * votes.share, 2)} %), as noble-curves confirms.\n`,
    ...late.map(
      ({ name, startMs, endMs, tookMs }) =>
        `The ${name} took ${grouped(tookMs / 1000, 2)} s of this machine, and the slot has ${grouped((endMs - startMs) / 1000, 2)} s for them: give --slot-seconds more, or fewer nodes.\n`,
    ),
    columnTable(
      ['phase', 'published', 'verified', 'delay, ms: mean', 'p95', 'max', 'in time, %', 'took, ms'],
      phases.map(({ name, published, verified, delayMs, inTime, tookMs }) => [
        name,
        grouped(published),
        grouped(verified),
        grouped(delayMs.mean, 1),
        grouped(delayMs.p95, 1),
        grouped(delayMs.max, 1),
        grouped(100 * inTime, 2),
        grouped(tookMs),
      ]),
    ),
    spreadTable([
      ['votes in reach', votesInReach],
      ['messages sent', document.messagesSent],
      ['messages received', document.messagesReceived],
      ['duplicates of these', document.duplicates],
      ['bytes sent', document.bytesSent],
      ['bytes received', document.bytesReceived],
      ['messages checked', document.checked],
      ['invalid of these', document.invalid],
    ]),
    pairTable([
      ['block', `by node ${block.proposer}, ${counted(block.collections.length, 'collection')}`],
      ['honest nodes', grouped(live)],
      ...(attacks.length === 0
        ? []
        : [
            [
              'ignored',
              `${grouped(blacklisted.liars)} of ${grouped(nodes - live - Math.floor(nodes * dead))} liars, ${grouped(blacklisted.honest)} honest nodes`,
            ] as const,
          ]),
      ['refused', refusedText(document.refused)],
      ['took', `${grouped(document.wallSeconds, 2)} s; ${grouped(document.cpuSeconds, 2)} s of CPU time in the slot`],
      ['message', JSON.stringify(scenario.message)],
    ]),
  ].join('\n');
}
