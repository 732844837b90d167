import { looksLikeIdentity } from '@tutti/core';
import { type HornParameters, type SlotPlan, slotClock } from '@tutti/core/horn';
import { partOf } from '@tutti/core/input';
import { roundMessage } from '@tutti/transports';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import type { CastShares } from './cluster/cast.ts';
import { outputPaths, requireOutputs, signatureFault, writeAndPrint, writeKeys } from './cluster/deliver.ts';
import { refusedText } from './cluster/document.ts';
import {
  type HornClusterOutcome,
  type HornClusterPlan,
  type HornSlotOutcome,
  maxFittingSeconds,
  runHornCluster,
} from './cluster/hornCluster.ts';
import { type HornClusterDocument, type HornClusterScenario, hornDocument } from './cluster/hornDocument.ts';
import type { ClusterOptions } from './clusterFlags.ts';
import { defaultProcesses } from './clusterRuns.ts';
import { type Context, UsageError } from './context.ts';
import { type HornClusterFlags, hornCast, hornClusterParameters } from './hornClusterFlags.ts';
import { kernelName } from './kernel.ts';
import { secondsSince } from './output/progress.ts';
import { columnTable, counted, grouped, pairTable, rowsTable, spreadTable } from './output/text.ts';

/** Name of the document if `--out` is a folder. */
const documentName = 'cluster.json';

type Options = HornClusterFlags &
  Omit<CastShares, 'slow'> &
  Pick<
    ClusterOptions,
    'nodes' | 'seed' | 'message' | 'rounds' | 'timeout' | 'processes' | 'latency' | 'impair' | 'json' | 'out' | 'force'
  >;

/**
 * Runs the Horn slots that the flags describe. The function prints the result once noble-curves has verified the
 * blocks.
 *
 * @throws UsageError for an invalid flag; EnvironmentError if a process fails, the run exceeds its time limit or a
 * block is invalid.
 */
export async function runHornAsAsked(options: Options, context: Context): Promise<void> {
  const startedMs = performance.now();
  const { out } = options;
  const plan = plannedSlots(options);
  const keyFiles = ({ publicKeys }: { readonly publicKeys: string }) => keysFiles(publicKeys, plan.messages.length);
  requireOutputs(options, documentName, keyFiles);
  const { slots, entries } = await runHornCluster(plan, context);
  const keys = slots.map((slot) => keysByPlace(slot.plan, entries));
  const noble = await loadBls({ engine: 'noble' });
  for (const [index, slot] of slots.entries()) confirmBlock(noble, slot, keys[index]!);
  const paths = outputPaths(out, documentName);
  const files = paths && keyFiles(paths);
  for (const [index, file] of (files ?? []).entries()) writeKeys(file, keys[index]!);
  const scenario = scenarioOf(options, plan, slots[0]!.plan.parameters);
  const document = hornDocument(scenario, plan.cast, slots, files, secondsSince(startedMs));
  writeAndPrint(document, paths, options.json ? undefined : summary, context);
}

/**
 * Checks the flags of a Horn cluster.
 *
 * @throws UsageError for an invalid flag.
 */
function plannedSlots(options: Options): HornClusterPlan {
  const { nodes, degree, transport, seed } = options;
  const messages = Array.from({ length: options.rounds }, (_, index) => roundMessage(options.message, index + 1));
  if (messages.some((message) => looksLikeIdentity(message)))
    throw new UsageError('--message: expected a message other than an identity statement');
  const parameters = hornClusterParameters(options);
  const fitsSlot = options.slotSeconds === undefined && options.addedSeconds === undefined;
  const slotMs = fitsSlot ? 1000 * maxFittingSeconds(parameters) : slotClock('horn', parameters).endUs / 1000;
  return {
    parameters,
    fitsSlot,
    nodes,
    degree,
    cast: hornCast(nodes, parameters.validators, options),
    processes: Math.min(nodes, options.processes ?? defaultProcesses()),
    kernel: kernelName(),
    transport,
    messages,
    seed,
    emulate: options.latency,
    impairment: options.impair,
    timeoutMs: options.timeout * 1000 + messages.length * slotMs,
  };
}

/**
 * Returns the settings of a run for its document.
 *
 * @param parameters parameters of the slots; the plan may not contain the length of a slot.
 */
function scenarioOf(
  { dead, attack = [] }: Options,
  { nodes, degree, messages, emulate, transport, kernel, processes, impairment, seed }: HornClusterPlan,
  parameters: HornParameters,
): HornClusterScenario {
  return {
    protocol: 'horn',
    nodes,
    parameters,
    degree,
    dead,
    attacks: attack,
    slots: messages.length,
    network: emulate === 'aws' ? `${transport} loopback, emulating aws` : `${transport} loopback`,
    transport,
    kernel,
    processes,
    ...(impairment !== undefined && { impairment }),
    seed,
  };
}

/** Returns the public keys in the order of the places in the slot; this order differs between slots. */
function keysByPlace({ validatorAt }: SlotPlan, entries: HornClusterOutcome['entries']): Uint8Array[] {
  return Array.from(validatorAt, (validator) => entries[validator]!.publicKey);
}

/** Returns the paths of the slots' key files: the given path, with the number of the slot if there are several slots. */
function keysFiles(path: string, slots: number): readonly string[] {
  if (slots === 1) return [path];
  return Array.from({ length: slots }, (_, slot) => path.replace(/\.json$/, `.slot-${slot + 1}.json`));
}

/**
 * Verifies a block.
 *
 * @throws EnvironmentError `invalid-signature` if noble-curves rejects a signature of the block.
 */
function confirmBlock(noble: Bls, { block, message }: HornSlotOutcome, publicKeys: readonly Uint8Array[]): void {
  const round = noble.round(publicKeys, message);
  try {
    for (const { committee, first, bits, signature } of block.collections)
      if (!round.verify(first, bits, signature))
        throw signatureFault(`the signature of the votes from committee ${committee}`);
  } finally {
    round.free();
  }
}

function summary(document: HornClusterDocument): string {
  const { scenario, votes, live, block, phases, votesInReach, blacklisted, slots } = document;
  const { parameters, nodes, processes, network, kernel, attacks, dead } = scenario;
  const { validators, committees, subcommittees } = parameters;
  const late = phases.filter(({ inTime, verified }) => verified > 0 && inTime < 0.99);
  const { attestUs, aggregateUs, collectUs, endUs } = slotClock('horn', parameters);
  const times = [attestUs, aggregateUs, collectUs, endUs].map((us) => grouped(us / 1e6, 2));
  const departures = [
    ...(dead === 0 ? [] : [`${grouped(100 * dead)} % of the nodes dead`]),
    ...attacks.map(({ name, share }) => `${grouped(100 * share)} % ${name}`),
  ];
  const ofAll =
    slots === undefined
      ? []
      : [
          rowsTable(slots, [
            ['slot', (_, index) => index + 1],
            ['votes cast', ({ votes }) => votes.cast],
            ['in the block', ({ votes }) => votes.inBlock],
            ['took, ms: votes', (slot) => slot.phases[0]!.tookMs],
            ['aggregates', (slot) => slot.phases[1]!.tookMs],
            ['collections', (slot) => slot.phases[2]!.tookMs],
            ['CPU, s', ({ cpuSeconds }) => cpuSeconds, 2],
          ]),
          'Last slot:\n',
        ];
  return [
    `horn, ${counted(validators, 'validator')} on ${counted(nodes, 'node')} in ${counted(processes, 'process', 'processes')}, ${network}, real BLS (${kernel})${departures.length === 0 ? '' : `; ${departures.join(', ')}`}`,
    `${counted(committees, 'committee')} of ${counted(subcommittees, 'subcommittee')}. Votes are due at ${times[0]} s, aggregates at ${times[1]} s, collections at ${times[2]} s, the block at ${times[3]} s.`,
    `${grouped(votes.inBlock)} of ${counted(votes.cast, 'vote')} of live honest validators are in the block (${grouped(100 * votes.share, 2)} %), as noble-curves confirms.\n`,
    ...ofAll,
    ...late.map(
      ({ name, startMs, endMs, tookMs }) =>
        `The ${name} took ${grouped(tookMs / 1000, 2)} s on this machine, but the slot allows only ${grouped((endMs - startMs) / 1000, 2)} s: increase --slot-seconds or use fewer nodes.\n`,
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
              `${grouped(blacklisted.liars)} of ${counted(nodes - live - partOf(nodes, dead), 'Byzantine node')}, ${counted(blacklisted.honest, 'honest node')}`,
            ] as const,
          ]),
      ['refused', refusedText(document.refused)],
      ['took', `${grouped(document.wallSeconds, 2)} s; ${grouped(document.cpuSeconds, 2)} s of CPU time in the slot`],
      ['message', JSON.stringify(document.message)],
    ]),
  ].join('\n');
}
