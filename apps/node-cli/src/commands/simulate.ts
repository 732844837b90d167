import {
  type AttackShare,
  checkScenario,
  createNetwork,
  createSimulation,
  defaultScenario,
  type Mechanism,
  mechanisms,
  networkForms,
  type ProtocolName,
  protocolNames,
  type RunResult,
  type Scenario,
  type Simulation,
  type SimulationOptions,
} from '@tutti/core';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { injectedLine, readFaults } from '../faultsFile.ts';
import {
  attackFlag,
  badValue,
  choiceFlag,
  deadFlag,
  durationFlag,
  type FlagReader,
  integerFlag,
  seedFlag,
  thresholdFlag,
  torFlag,
} from '../flags.ts';
import {
  addSlotFlags,
  hornProtocols,
  isHornProtocol,
  type SlotFlags,
  simulateSlot,
  slotFlagGiven,
} from '../horn/simulateSlot.ts';
import { loadKernel } from '../kernel.ts';
import { requireFolderOf } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { writeRecording } from '../output/recordings.ts';
import { grouped, pairTable, spreadTable } from '../output/tables.ts';
import { rehearsedScheme } from '../rehearsedScheme.ts';
import { Interrupted, UsageError } from '../usageError.ts';

interface SimulateOptions {
  readonly protocol: ProtocolName;
  readonly nodes: number;
  readonly threshold: number;
  readonly network: string;
  readonly tor: number;
  readonly dead: number;
  readonly desync: number;
  readonly scheme: 'counting' | 'bls';
  readonly period: number;
  readonly levelStart: number;
  readonly fastPath: number;
  readonly verifyMs: number;
  readonly seed: number;
  readonly priorities: 'shifted' | 'independent';
  readonly candidates?: number;
  readonly replyTimeout?: number;
  readonly gossipOf?: 'individuals' | 'aggregates';
  readonly degree?: number;
  readonly attack: readonly AttackShare[];
  readonly faults?: string;
  readonly without: readonly Mechanism[];
  readonly authentication: boolean;
  readonly check?: boolean;
  readonly record?: string;
  readonly sends: boolean;
  readonly json?: boolean;
}

/** What `tutti simulate --json` prints. */
export interface SimulateDocument extends RunResult {
  readonly wallSeconds: number;
  readonly peakRssBytes: number;
}

const networkFlag: FlagReader<string> = (text) => {
  try {
    createNetwork(text, 1, 0);
    return text;
  } catch {
    throw badValue('--network', networkForms, text);
  }
};

/** A reader for a flag that may be given more than once. */
function all<T>(read: FlagReader<T>): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, read(text)];
}

export function simulateCommand(context: Context): Command {
  const defaults = defaultScenario;
  const command = new Command('simulate')
    .description('Simulate an aggregation under virtual time. The same seed gives the same run.')
    .option(
      '--protocol <name>',
      [...protocolNames, ...hornProtocols].join(', '),
      choiceFlag('--protocol', [...protocolNames, ...hornProtocols]),
      defaults.protocol,
    )
    .option(
      '--nodes <n>',
      'nodes, 1 to 1048576; of Horn validators, by default all 1048576',
      integerFlag('--nodes', 1, 2 ** 20),
      defaults.nodes,
    )
    .option('--threshold <share>', 'share of the live nodes that an output needs', thresholdFlag, defaults.threshold)
    .option('--network <model>', networkForms, networkFlag, defaults.network)
    .option('--tor <share>', 'share of the nodes that are behind Tor', torFlag, defaults.tor)
    .option('--dead <share>', 'share of the nodes that are dead', deadFlag, defaults.dead)
    .option('--desync <ms>', 'nodes start within this time', durationFlag('--desync'), defaults.desyncMs)
    .option(
      '--scheme <name>',
      'counting, or bls for real signatures',
      choiceFlag('--scheme', ['counting', 'bls']),
      defaults.scheme,
    )
    .option('--period <ms>', 'dissemination period', durationFlag('--period', 0.001), defaults.periodMs)
    .option(
      '--level-start <ms>',
      'time between the starts of levels',
      durationFlag('--level-start'),
      defaults.levelStartMs,
    )
    .option(
      '--fast-path <n>',
      'peers contacted at once on a complete level',
      integerFlag('--fast-path', 0, 2 ** 20),
      defaults.fastPath,
    )
    .option(
      '--verify-ms <ms>',
      'cost of a verification on a standard node',
      durationFlag('--verify-ms'),
      defaults.verifyMs,
    )
    .option('--seed <n>', 'an integer from 0 to 4294967295', seedFlag, defaults.seed)
    .option(
      '--priorities <rows>',
      'verification priorities: shifted or independent rows',
      choiceFlag('--priorities', ['shifted', 'independent']),
      defaults.priorities,
    )
    .option(
      '--candidates <n>',
      `San Fermín: partners asked at a time (default: ${defaults.sanFermin.candidates})`,
      integerFlag('--candidates', 1, 2 ** 20),
    )
    .option(
      '--reply-timeout <ms>',
      `San Fermín: how long they have to answer (default: ${defaults.sanFermin.replyTimeoutMs})`,
      durationFlag('--reply-timeout', 0.001),
    )
    .option(
      '--gossip-of <what>',
      `gossip: of individuals or of aggregates (default: ${defaults.gossip.of})`,
      choiceFlag('--gossip-of', ['individuals', 'aggregates']),
    )
    .option(
      '--degree <n>',
      `gossip and Horn: neighbours in a mesh (default: ${defaults.gossip.degree})`,
      integerFlag('--degree', 1, 2 ** 20),
    )
    .option(
      '--attack <name:share>',
      'a share of the nodes is Byzantine and behaves so; repeatable',
      all(attackFlag),
      [],
    )
    .option('--faults <file>', 'what breaks, when and where: a JSON list, see docs/faults.md')
    .option(
      '--without <mechanism>',
      'switch a mechanism of Handel off, to see what it is for; repeatable',
      all(choiceFlag('--without', mechanisms)),
      [],
    )
    .option('--no-authentication', 'a sender is whoever it says')
    .option('--check', "check the paper's claims after every event")
    .option('--record <file>', "write what happened to a file, for the visualiser and 'tutti export'")
    .option('--no-sends', 'leave messages out of the recording, which makes it a tenth')
    .option('--messages', 'Horn: play every message singly, up to 32768 validators')
    .option('--json', 'print one JSON document')
    .action(async (options: SimulateOptions | SlotFlags, command: Command) => {
      if (isSlot(options)) return simulateSlot(options, command, context);
      if (options.record === '') throw new UsageError('--record: expected the name of a file, got ""');
      if (options.record !== undefined) requireFolderOf(options.record);
      else if (!options.sends) throw new UsageError('--no-sends: only with --record');
      if (options.faults === '') throw new UsageError('--faults: expected the name of a file, got ""');
      const slotFlag = slotFlagGiven(command);
      if (slotFlag !== undefined)
        throw new UsageError(`${slotFlag}: only with --protocol ${hornProtocols.join(' or ')}`);
      requireOwnFlags(options);
      const document = await simulate(options, context);
      context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
    });
  return addSlotFlags(command);
}

function isSlot(options: SimulateOptions | SlotFlags): options is SlotFlags {
  return isHornProtocol(options.protocol);
}

/** A flag of one protocol says nothing about another. */
function requireOwnFlags({ protocol, candidates, replyTimeout, gossipOf, degree, without }: SimulateOptions): void {
  const owned: readonly (readonly [flag: string, isGiven: boolean, owner: ProtocolName])[] = [
    ['--candidates', candidates !== undefined, 'san-fermin'],
    ['--reply-timeout', replyTimeout !== undefined, 'san-fermin'],
    ['--gossip-of', gossipOf !== undefined, 'gossip'],
    ['--degree', degree !== undefined, 'gossip'],
    ['--without', without.length > 0, 'handel'],
  ];
  for (const [flag, isGiven, owner] of owned) {
    if (isGiven && protocol !== owner) throw new UsageError(`${flag}: only with --protocol ${owner}`);
  }
}

async function simulate(options: SimulateOptions, context: Context): Promise<SimulateDocument> {
  const scenario: Scenario = {
    ...defaultScenario,
    protocol: options.protocol,
    nodes: options.nodes,
    threshold: options.threshold,
    network: options.network,
    tor: options.tor,
    dead: options.dead,
    desyncMs: options.desync,
    scheme: options.scheme,
    periodMs: options.period,
    levelStartMs: options.levelStart,
    fastPath: options.fastPath,
    verifyMs: options.verifyMs,
    seed: options.seed,
    priorities: options.priorities,
    attacks: options.attack,
    faults: options.faults === undefined ? [] : readFaults(options.faults, options.nodes),
    without: options.without,
    authenticated: options.authentication,
    sanFermin: {
      candidates: options.candidates ?? defaultScenario.sanFermin.candidates,
      replyTimeoutMs: options.replyTimeout ?? defaultScenario.sanFermin.replyTimeoutMs,
    },
    gossip: {
      of: options.gossipOf ?? defaultScenario.gossip.of,
      degree: options.degree ?? defaultScenario.gossip.degree,
    },
  };
  checked(() => checkScenario(scenario));
  const startedMs = performance.now();
  const record = options.record !== undefined && { sends: options.sends };
  const simulation = await runInPieces(scenario, { checkers: options.check === true, record }, context);
  if (options.record !== undefined) writeRecording(options.record, simulation.recording());
  return {
    ...simulation.result(),
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}

/** What each flag by itself does not show: shares that come to too much, an attack on a protocol that it does not know. */
function checked<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** Runs with a look at the event loop now and then, so that there is progress to see and Ctrl-C gets through. */
async function runInPieces(scenario: Scenario, options: SimulationOptions, context: Context): Promise<Simulation> {
  const progress = new Progress(context);
  const stopIfAsked = () => {
    if (context.signal.aborted) throw new Interrupted();
  };
  try {
    const rehearsed =
      scenario.scheme === 'bls'
        ? await rehearsedScheme(await loadKernel(), scenario.nodes, scenario.seed, (signed) => {
            stopIfAsked();
            progress.update(() => `signing: ${signed} of ${scenario.nodes} nodes`);
          })
        : undefined;
    const given = { ...options, ...(rehearsed === undefined ? {} : { scheme: rehearsed.scheme }) };
    const simulation = checked(() => createSimulation(scenario, given));
    const eventsAtOnce = scenario.scheme === 'bls' ? 256 : 65_536;
    while (simulation.advance(eventsAtOnce)) {
      await new Promise(setImmediate);
      stopIfAsked();
      progress.update(
        () =>
          `simulating: ${grouped(simulation.nowUs / 1000)} ms, ${grouped(simulation.reached)} of ${grouped(simulation.live)} nodes at the threshold, ${grouped(simulation.events)} events`,
      );
    }
    return simulation;
  } finally {
    progress.done();
  }
}

/** Who is not live, and why. */
function absent({ scenario, nodes, live }: SimulateDocument): string {
  const { attacks, faults } = scenario;
  const reasons = ['dead'];
  if (faults.some(({ kind }) => kind === 'crash')) reasons.push('crashed');
  if (attacks.length > 0) reasons.push(`Byzantine: ${attacks.map(({ name, share }) => `${name}:${share}`).join(', ')}`);
  return `${grouped(nodes - live)} ${reasons.join(' or ')}`;
}

/** Lines for what the run was made to do without, and for what broke. */
function conditions({ scenario, injected }: SimulateDocument): string[] {
  const { without, authenticated, faults } = scenario;
  const missing = [...without, ...(authenticated ? [] : ['authentication'])];
  return [
    ...(missing.length === 0 ? [] : [`without ${missing.join(', ')}\n`]),
    ...(faults.length === 0 ? [] : [`${injectedLine(injected)}\n`]),
  ];
}

/** The protocol and the settings that are its own. */
function played({ protocol, sanFermin, gossip }: Scenario): string {
  if (protocol === 'san-fermin') {
    return `${protocol} (candidates at a time: ${sanFermin.candidates}, time-out ${sanFermin.replyTimeoutMs} ms)`;
  }
  return protocol === 'gossip' ? `${protocol} of ${gossip.of} (degree ${gossip.degree})` : protocol;
}

/** How many came to the threshold, and whether the others ever could have. */
function verdict({ scenario, live, reached, ended }: SimulateDocument): string {
  const share = `${scenario.threshold * 100} %`;
  if (reached === live) return `All ${grouped(live)} live nodes reached ${share}.`;
  const others =
    ended === 'silent'
      ? `the other ${grouped(live - reached)} never can: no message is under way, and nobody has anything left to do.`
      : 'the others were given up.';
  return `${grouped(reached)} of ${grouped(live)} live nodes reached ${share}; ${others}`;
}

function summary(document: SimulateDocument): string {
  const { scenario, nodes } = document;
  return [
    `${played(scenario)}, ${grouped(nodes)} nodes (${absent(document)}), network ${scenario.network}${scenario.tor > 0 ? ` (${scenario.tor * 100} % behind Tor)` : ''}, scheme ${scenario.scheme}`,
    `${verdict(document)}\n`,
    ...conditions(document),
    spreadTable([
      ['time to threshold, ms', document.timeToThresholdMs, 1],
      ['messages sent', document.messagesSent],
      ['messages received', document.messagesReceived],
      ['bytes sent', document.bytesSent],
      ['contributions checked', document.checked],
    ]),
    pairTable([
      ['delivered', `${grouped(document.messagesDelivered)} messages, ${grouped(document.events)} events`],
      ['took', `${grouped(document.wallSeconds, 2)} s, ${grouped(document.peakRssBytes / 1e6)} MB at most`],
      ['again', `seed ${document.seed}, version ${document.version}, digest ${document.digest}`],
    ]),
  ].join('\n');
}
