import { availableParallelism } from 'node:os';
import { percentText, thresholdText } from '@tutti/core';
import {
  createSimulation,
  type NodeResult,
  protocols,
  type RunResult,
  type Scenario,
  scenarioFields,
  validateScenario,
} from '@tutti/simulation';
import { Command } from 'commander';
import { answer, breathe, type Context, Interrupted, UsageError } from '../context.ts';
import {
  badValue,
  type FlagsOf,
  flag,
  forceFlag,
  integer,
  jobsFlag,
  jsonFlag,
  several,
  toggle,
  unless,
  validatedFlags,
  withFlags,
  words,
} from '../flags.ts';
import type { SlotFlags } from '../horn/slotFlags.ts';
import { type InputFile, inputFiles, inputRows, isStandardOutput, requirePlace } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { allCounted, counted, grouped, pairTable, reachedText, spreadTable } from '../output/text.ts';
import { injectedLine, readFaults, writeRecording } from '../runFiles.ts';
import {
  addScenarioFlags,
  givenScenarioFlag,
  hornProtocols,
  isHornProtocol,
  readLink,
  readScenario,
  type ScenarioTexts,
} from '../scenarioFlags.ts';
import { expectedEvents, inlineMore, realScheme, workLeft } from '../simulatedRun.ts';

const runFlags = {
  faultFile: flag('<file>', 'file with a JSON list of faults', words),
  link: flag('<url>', 'take the run from a link to the page', words),
  check: toggle("check the paper's claims after every event"),
  record: flag(
    '<file>',
    'write a recording of the run to this file; with -, print only the recording, to standard output',
    words,
  ),
  force: forceFlag,
  sends: unless('omit messages from the recording, which reduces its size by about 90 %'),
  json: jsonFlag,
};

/** Maximum number of seeds, equal to the maximum number of points of a sweep. */
const maxSeeds = 1_000_000;

const manyRunsFlags = {
  seeds: flag('<n>', 'run with this many consecutive seeds, starting with --seed, on all cores', integer(1, maxSeeds)),
  vary: flag(
    '<field=values>',
    'values to try for a flag, such as dead=0,0.2, or for a field, such as cpu.perMessageUs; repeatable; every combination is run',
    several(words),
    [],
  ),
  jobs: jobsFlag,
  out: flag('<file>', 'write a .csv or .parquet table with one row per run, or per node of a single run', words),
};

interface SimulateOptions extends ScenarioTexts, FlagsOf<typeof runFlags & typeof manyRunsFlags> {
  readonly all?: boolean;
}

/** Output of `tutti simulate --json`. */
export interface SimulateDocument extends RunResult {
  /** The input files, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly wallSeconds: number;
  readonly peakRssBytes: number;
}

/**
 * Returns whether a command line needs the flags of a slot, because it selects a system of Horn or has a flag that the
 * command does not know without them, such as `--help`.
 */
function needsSlotFlags(command: Command, typed: readonly string[]): boolean {
  const isKnown = (flag: string): boolean =>
    ['-q', '--quiet'].includes(flag) || command.options.some(({ short, long }) => flag === short || flag === long);
  return typed.some(
    (word) =>
      isHornProtocol(word.replace('--protocol=', '')) || (word.startsWith('-') && !isKnown(word.split('=')[0]!)),
  );
}

/**
 * Creates the command.
 *
 * @param typed words after the command's name; the flags of a slot are omitted if these words do not need them.
 * Default: the command has all flags.
 */
export async function simulateCommand(context: Context, typed?: readonly string[]): Promise<Command> {
  const command = new Command('simulate').description(
    'Simulate an aggregation in virtual time. The same seed gives the same run.',
  );
  withFlags(addScenarioFlags(command, hornProtocols), runFlags).optionsGroup('Many runs:');
  withFlags(command, manyRunsFlags).optionsGroup('Run:');
  const slot = typed === undefined || needsSlotFlags(command, typed) ? await import('../horn/slotFlags.ts') : undefined;
  slot?.addSlotFlags(command);
  return command.action(async (options: SimulateOptions) => {
    if (options.all) throw new UsageError('--all: valid only with --help');
    const ofMany = (['seeds', 'jobs', 'out'] as const).find((flag) => options[flag] !== undefined);
    const many = ofMany ?? (options.vary.length > 0 ? 'vary' : undefined);
    if (isHornProtocol(options.protocol)) {
      if (many !== undefined) throw new UsageError(`--${many}: cannot be combined with --protocol ${options.protocol}`);
      // The code that simulates slots is loaded only here, because loading it takes as long as a small simulation of
      // Handel.
      const { simulateSlot } = await import('../horn/simulateSlot.ts');
      return simulateSlot(options as SlotFlags, command, context);
    }
    requireFitting(options, slot?.slotFlagGiven(command));
    if (options.seeds !== undefined || options.vary.length > 0) return runMany(options, command, context);
    if (many !== undefined && many !== 'out') throw new UsageError(`--${many}: valid only with --seeds or --vary`);
    if (options.out !== undefined) {
      if (!/\.(csv|parquet)$/i.test(options.out))
        throw badValue('--out', 'a file name that ends in .csv or .parquet', options.out);
      requirePlace(options.out, options.force);
    }
    if (options.record !== undefined) requirePlace(options.record, options.force);
    const { document, nodes } = await simulate(await chosenScenario(options, command), options, context);
    if (options.out !== undefined)
      (await import('../results/tableFile.ts')).writeStudy(
        options.out,
        () => nodes.map((node) => ({ seed: document.seed, ...node })),
        command,
      );
    if (!isStandardOutput(options.record)) answer(context, options.json, document, summary(document));
  });
}

/**
 * Checks the flags for one or many runs of a protocol that is not a Horn protocol.
 *
 * @param slotFlag first given flag that applies only to a slot, if any.
 */
function requireFitting({ record, sends, faultFile }: SimulateOptions, slotFlag: string | undefined): void {
  if (record === undefined && !sends) throw new UsageError('--no-sends: valid only with --record');
  if (faultFile === '') throw new UsageError('--fault-file: expected the name of a file, got ""');
  if (slotFlag !== undefined)
    throw new UsageError(`${slotFlag}: valid only with --protocol ${hornProtocols.join(' or ')}`);
}

/**
 * Runs the sweep that the flags define. The modules of a sweep are loaded here, because loading them takes longer than
 * a small run.
 */
async function runMany(options: SimulateOptions, command: Command, context: Context): Promise<void> {
  for (const flag of ['record', 'check', 'link'] as const)
    if (options[flag] !== undefined) throw new UsageError(`--${flag}: cannot be combined with --seeds or --vary`);
  const { out, jobs = availableParallelism() } = options;
  if (out === undefined)
    throw new UsageError('--out: expected a file for the runs, .csv, .parquet or .jsonl, got none');
  const [{ planOfFlags }, { runPlan }, { localEngine }] = await Promise.all([
    import('../sweep/variedFlags.ts'),
    import('./sweep.ts'),
    import('../sweep/localEngine.ts'),
  ]);
  const plan = planOfFlags(await chosenScenario(options, command), options.vary, options.seeds ?? 1);
  await runPlan(plan, { ...options, out }, localEngine(jobs), command, context);
}

/** Returns the scenario that the flags, the fault file or the link define. */
async function chosenScenario(options: SimulateOptions, command: Command): Promise<Scenario> {
  const { link, faultFile: faults } = options;
  if (link !== undefined) {
    const other = faults === undefined ? givenScenarioFlag(command) : '--fault-file';
    if (other !== undefined)
      throw new UsageError(`${other}: cannot be combined with --link, which defines the whole run`);
    return readLink(link);
  }
  const scenario = await readScenario(command, undefined, options.record !== undefined);
  return faults === undefined
    ? scenario
    : { ...scenario, faults: [...scenario.faults, ...readFaults(faults, scenario.nodes)] };
}

interface Simulated {
  readonly document: SimulateDocument;
  readonly nodes: readonly NodeResult[];
}

async function simulate(scenario: Scenario, options: SimulateOptions, context: Context): Promise<Simulated> {
  validatedFlags(scenarioFields, () => validateScenario(scenario));
  const startedMs = performance.now();
  const { result, nodes, recordingLater } = await runInPieces(scenario, options, context);
  if (options.record !== undefined) writeRecording(options.record, recordingLater!());
  const inputs = inputFiles();
  const document = {
    ...result,
    ...(inputs !== undefined && { inputs }),
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
  return { document, nodes };
}

/**
 * Runs a simulation in parts, and yields to the event loop between the parts so that the command can show progress and
 * react to Ctrl-C.
 *
 * @returns the results that are needed after the run: those of the nodes only for a table, and a recording only with
 * `--record`. The recording is made later, so that the memory of the nodes can be freed first.
 */
async function runInPieces(scenario: Scenario, { check, record, sends, out }: SimulateOptions, context: Context) {
  // Signing and the simulation each have their own progress estimate.
  const [signing, progress] = [new Progress(context), new Progress(context)];
  try {
    const real = await realScheme(scenario, (signed) => {
      if (context.signal.aborted) throw new Interrupted();
      signing.count('signing', signed, scenario.nodes, 'nodes');
    });
    inlineMore(scenario.nodes);
    const options = {
      checkers: check === true,
      record: record !== undefined && { sends },
      ...(real !== undefined && { scheme: real.scheme }),
    };
    const simulation = validatedFlags(scenarioFields, () => createSimulation(scenario, options));
    const expected = expectedEvents(scenario);
    const eventsAtOnce = scenario.scheme === 'counting' ? 65_536 : 256;
    while (simulation.advance(eventsAtOnce)) {
      await breathe(context);
      progress.update(
        () =>
          `simulating: ${grouped(simulation.nowUs / 1000)} ms, ${grouped(simulation.reached)} of ${counted(simulation.live, 'node')} at the threshold, ${counted(simulation.events, 'event')}`,
        workLeft(simulation.events, expected),
      );
    }
    return {
      result: simulation.result(),
      nodes: out !== undefined ? simulation.nodeResults() : [],
      recordingLater: record !== undefined ? simulation.recordingLater() : undefined,
    };
  } finally {
    signing.done();
    progress.done();
  }
}

/** Describes the number of nodes that are not live, and the causes. */
function absent({ scenario, nodes, live }: SimulateDocument): string {
  const { attacks, faults } = scenario;
  const reasons = ['dead'];
  if (faults.some(({ kind }) => kind === 'crash')) reasons.push('crashed');
  if (attacks.length > 0) reasons.push(`Byzantine: ${attacks.map(({ name, share }) => `${name}:${share}`).join(', ')}`);
  return `${grouped(nodes - live)} ${reasons.join(' or ')}`;
}

/** Returns lines that describe switched-off mechanisms and injected faults. */
function conditions({ scenario, injected }: SimulateDocument): string[] {
  const { without, authenticated, faults, absent } = scenario;
  const missing = [...without, ...(authenticated ? [] : ['authentication'])];
  return [
    ...(missing.length === 0 ? [] : [`without ${missing.join(', ')}\n`]),
    ...(faults.length === 0 && absent === 0 ? [] : [`${injectedLine(injected)}\n`]),
  ];
}

/**
 * Describes the number of nodes that reached the threshold, and whether the other nodes could still have reached it.
 */
function verdict({ scenario, live, reached, ended, threshold, stake }: SimulateDocument): string {
  const share =
    stake === undefined
      ? reachedText(scenario.threshold, threshold)
      : `${thresholdText(scenario.threshold)} of the live weight (${stake.required} of ${stake.live})`;
  if (reached === live) return `${allCounted(live, 'live node')} reached ${share}.`;
  const others =
    ended === 'silent'
      ? `the other ${grouped(live - reached)} can never reach it: no message is in transit, and no node has work left.`
      : 'the time limit ended the run before the others reached it.';
  return `${grouped(reached)} of ${counted(live, 'live node')} reached ${share}; ${others}`;
}

function summary(document: SimulateDocument): string {
  const { scenario, nodes, percentiles } = document;
  const protocolText = `${scenario.protocol}${protocols[scenario.protocol].settingsText(scenario)}`;
  return [
    `${protocolText}, ${counted(nodes, 'node')} (${absent(document)}), network ${scenario.network}${scenario.tor > 0 ? ` (${percentText(scenario.tor)} behind Tor)` : ''}, scheme ${scenario.scheme}${scenario.scheme === 'counting' ? ' (makes no signatures)' : ''}`,
    `${verdict(document)}\n`,
    ...conditions(document),
    spreadTable([
      ['time to threshold, ms', { ...document.timeToThresholdMs, ...percentiles.timeToThresholdMs }, 1],
      ['signers by then', document.signers],
      ...(document.stake === undefined ? [] : ([['share of the total weight', document.stake.signed, 4]] as const)),
      ['messages sent', { ...document.messagesSent, ...percentiles.messagesSent }],
      ['messages received', { ...document.messagesReceived, ...percentiles.messagesReceived }],
      ['bytes sent', { ...document.bytesSent, ...percentiles.bytesSent }],
      ['contributions checked', { ...document.checked, ...percentiles.checked }],
      ...(scenario.batch === 1
        ? []
        : ([
            ['verifications for them', document.checks],
            ['CPU time of verifications, ms', document.checkingMs],
          ] as const)),
    ]),
    pairTable([
      ['delivered', `${counted(document.messagesDelivered, 'message')}, ${counted(document.events, 'event')}`],
      ['took', `${grouped(document.wallSeconds, 2)} s, ${grouped(document.peakRssBytes / 1e6)} MB at most`],
      ...inputRows(),
      ['reproduce', `with --seed ${document.seed} and version ${document.version}: digest ${document.digest}`],
    ]),
  ].join('\n');
}
