import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import { EnvironmentError, integers, type Setting, seedSetting } from '@tutti/core/input';
import type { Scenario } from '@tutti/simulation';
import { type Broken, type ClaimName, claims, swarmSettings } from '@tutti/simulation/checks';
import { Command } from 'commander';
import { answer, type Context, shellWord, UsageError } from '../context.ts';
import { networkOrFileText } from '../files/latencyFile.ts';
import {
  type Flag,
  type FlagsOf,
  flag,
  flagOf,
  jobsFlag,
  jsonFlag,
  maxIn,
  ranged,
  requireSeeds,
  withFlags,
  withoutFlag,
} from '../flags.ts';
import { networkChoices } from '../networkFile.ts';
import { type InputFile, inputFiles, inputRows, inputText } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { counted, grouped, pairTable } from '../output/text.ts';
import { type Found, runOne, runSwarm } from '../swarm/runSwarm.ts';
import { scenarioFlag, scenarioText } from '../swarm/scenarioFlag.ts';

const { maxNodes } = swarmSettings;
const seeds = { default: 2000, range: integers(1, 1_000_000), about: 'number of scenarios to run, one per seed' };
const from = { ...seedSetting, about: 'the first seed' };
const lastSeed = maxIn(from);

/** Returns a flag without a stored default, so that {@link refuseOtherFlags} can tell whether it was given. */
function ifGiven(of: Setting<number>): Flag<number, false> {
  return flag('<n>', `${of.about} (default: ${of.default})`, ranged(of.range));
}

const swarmFlags = {
  seeds: ifGiven(seeds),
  from: ifGiven(from),
  jobs: jobsFlag,
  without: withoutFlag,
  maxNodes: ifGiven(maxNodes),
  network: flag('<model>', `latencies of every scenario: ${networkChoices} (default: chosen at random)`, (name) =>
    flagOf(name, networkOrFileText),
  ),
  scenario: flag(
    '<json>',
    'run only this scenario, in the format in which the command prints a broken claim',
    () => scenarioFlag,
  ),
  json: jsonFlag,
};
type SwarmFlags = FlagsOf<typeof swarmFlags>;

/** Output of `tutti claims swarm --json`. */
interface SwarmDocument {
  readonly version: string;
  /** First seed and number of seeds; undefined if the user gave one scenario. */
  readonly from?: number;
  readonly seeds?: number;
  /** Network of every scenario; undefined if the user gave none. */
  readonly network?: string;
  /** The input files, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly wallSeconds: number;
  /** First broken claim; null if every claim held. */
  readonly broken: BrokenDocument | null;
}

/** Broken claim in the output of `tutti claims swarm --json`. */
interface BrokenDocument {
  readonly claim: ClaimName;
  readonly section: string;
  readonly says: string;
  /** Lowest seed that breaks a claim. */
  readonly seed: number;
  readonly message: string;
  readonly scenario: Scenario;
  /** Smallest scenario found that breaks the same claim as the seed. */
  readonly smallest: { readonly message: string; readonly scenario: Scenario };
  /** Commands that reproduce the failure: one with the seed, and one with the smallest scenario. */
  readonly again: readonly string[];
}

export function claimsSwarmCommand(context: Context): Command {
  const command = new Command('swarm').description(
    'Run random scenarios with attacks and faults until one of them breaks a claim of the paper.',
  );
  return withFlags(command, swarmFlags).action(async (flags: SwarmFlags) => {
    refuseOtherFlags(flags);
    const document = await swarm(flags, context);
    answer(context, flags.json, document, summary(document));
    if (document.broken !== null) throw new EnvironmentError('claim-broken', document.broken.smallest.message);
  });
}

/** Rejects flags that would have no effect. */
function refuseOtherFlags({ scenario, seeds, from, jobs, maxNodes, without, network }: SwarmFlags): void {
  if (scenario === undefined) return;
  const others = { seeds, from, jobs, 'max-nodes': maxNodes, without: without[0], network };
  for (const [name, value] of Object.entries(others))
    if (value !== undefined)
      throw new UsageError(`--${name}: cannot be combined with --scenario, which runs one scenario`);
}

async function swarm(options: SwarmFlags, context: Context): Promise<SwarmDocument> {
  const startedMs = performance.now();
  const { scenario, from: first = from.default } = options;
  const { seeds: count = Math.min(seeds.default, lastSeed - first + 1) } = options;
  requireSeeds(first, count);
  const found =
    scenario === undefined ? await hunt(first, count, options, context) : await runOne(scenario, context.signal);
  const { network } = options;
  const asked = scenario === undefined ? { from: first, seeds: count, ...(network !== undefined && { network }) } : {};
  const inputs = inputFiles();
  return {
    version,
    ...asked,
    ...(inputs !== undefined && { inputs }),
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    broken: found === undefined ? null : describe(found, options),
  };
}

async function hunt(
  from: number,
  seeds: number,
  { jobs = availableParallelism(), without, maxNodes, network }: SwarmFlags,
  context: Context,
): Promise<Found | undefined> {
  const progress = new Progress(context);
  let done = 0;
  const onDone = (more: number) => {
    done += more;
    progress.count('swarm', done, seeds, 'seeds');
  };
  const onFound = ({ seed, claim }: Broken) =>
    progress.update(() => `swarm: seed ${seed} breaks ${claim}; shrinking the scenario`);
  const options = {
    without,
    ...(maxNodes !== undefined && { maxNodes }),
    ...(network !== undefined && { network }),
  };
  try {
    return await runSwarm({ from, seeds, jobs, options, signal: context.signal, onDone, onFound });
  } finally {
    progress.done();
  }
}

function describe(
  { broken, smallest }: Found,
  { scenario: given, without, maxNodes, network }: SwarmFlags,
): BrokenDocument {
  const { claim, seed, scenario, message } = broken;
  const flags = [
    ...without.map((one) => `--without ${one}`),
    ...(maxNodes === undefined ? [] : [`--max-nodes ${maxNodes}`]),
    ...(network === undefined ? [] : [`--network ${shellWord(network)}`]),
  ];
  const bySeed = ['tutti claims swarm', `--from ${seed} --seeds 1`, ...flags].join(' ');
  const again = `tutti claims swarm --scenario ${shellWord(scenarioText(smallest.scenario))}`;
  return {
    claim,
    ...claims[claim],
    seed,
    message,
    scenario,
    smallest: { message: smallest.message, scenario: smallest.scenario },
    again: given === undefined ? [bySeed, again] : [again],
  };
}

function summary({ seeds, from, network, wallSeconds, broken }: SwarmDocument): string {
  const on = network === undefined ? '' : ` on ${network}`;
  const took = `${grouped(wallSeconds, 1)} s`;
  if (broken === null) {
    if (from === undefined || seeds === undefined) return `Every claim held (${took}).\n${inputText()}`;
    return `Every claim held in ${counted(seeds, 'scenario')}${on}, seeds ${from} to ${from + seeds - 1} (${took}).\n${inputText()}`;
  }
  const { claim, section, says, seed, message, smallest, again } = broken;
  return [
    `Seed ${seed} breaks a claim of the paper (${took}).\n`,
    pairTable([
      [claim, says],
      ['section', section],
      ['seen', message],
      ['smallest', smallest.message],
      ...again.map((command): [string, string] => ['reproduce with', command]),
      ...inputRows(),
    ]),
  ].join('\n');
}
