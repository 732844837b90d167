import { availableParallelism } from 'node:os';
import { type Mechanism, mechanisms, version } from '@tutti/core';
import type { Scenario } from '@tutti/simulation';
import { type Broken, type ClaimName, claims } from '@tutti/simulation/checks';
import { WorldError } from '@tutti/transports/errors';
import { Command } from 'commander';
import { jobsOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choiceFlag, integerFlag } from '../flags.ts';
import { counted, grouped } from '../numbers.ts';
import { Progress } from '../output/progress.ts';
import { pairTable } from '../output/tables.ts';
import { type Found, runOne, runSwarm } from '../swarm/runSwarm.ts';
import { scenarioFlag, scenarioText } from '../swarm/scenarioText.ts';
import { UsageError } from '../usageError.ts';

interface SwarmCommandOptions {
  readonly seeds?: number;
  readonly from?: number;
  readonly jobs?: number;
  readonly without: readonly Mechanism[];
  readonly maxNodes?: number;
  readonly scenario?: Scenario;
  readonly json?: boolean;
}

/** What `tutti swarm --json` prints. */
export interface SwarmDocument {
  readonly version: string;
  /** The first seed, and how many were to be run from there; undefined if one scenario was given. */
  readonly from?: number;
  readonly seeds?: number;
  readonly wallSeconds: number;
  /** Null where every claim held. */
  readonly broken: BrokenDocument | null;
}

export interface BrokenDocument {
  readonly claim: ClaimName;
  readonly section: string;
  readonly says: string;
  /** The lowest seed that breaks a claim. */
  readonly seed: number;
  readonly message: string;
  readonly scenario: Scenario;
  /** The smallest scenario found that breaks the same claim. */
  readonly smallest: { readonly message: string; readonly scenario: Scenario };
  /** Commands that show it again: the seed's, and the smallest one's. */
  readonly again: readonly string[];
}

const lastSeed = 2 ** 32 - 1;
const mostSeeds = 1_000_000;

export function swarmCommand(context: Context): Command {
  return new Command('swarm')
    .description('Run random scenarios with attacks and faults, until one breaks a claim of the paper.')
    .option('--seeds <n>', 'scenarios to run, one per seed (default: 2000)', integerFlag('--seeds', 1, mostSeeds))
    .option('--from <n>', 'the first seed (default: 1)', integerFlag('--from', 0, lastSeed))
    .addOption(jobsOption())
    .option(
      '--without <mechanism>',
      'switch a mechanism of Handel off, to see what breaks; repeatable',
      (text: string, before: readonly Mechanism[]) => [...before, choiceFlag('--without', mechanisms)(text)],
      [],
    )
    .option('--max-nodes <n>', 'most nodes in a scenario (default: 1024)', integerFlag('--max-nodes', 2, 1024))
    .option('--scenario <json>', 'run only this scenario, as a broken claim prints it', scenarioFlag)
    .option('--json', 'print one JSON document')
    .action(async (options: SwarmCommandOptions) => {
      refuseFlagsBesideScenario(options);
      const document = await swarm(options, context);
      context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
      if (document.broken !== null) throw new WorldError('claim-broken', document.broken.smallest.message);
    });
}

/** A flag that would do nothing is a misunderstanding. */
function refuseFlagsBesideScenario({ scenario, seeds, from, jobs, maxNodes, without }: SwarmCommandOptions): void {
  if (scenario === undefined) return;
  const given = { '--seeds': seeds, '--from': from, '--jobs': jobs, '--max-nodes': maxNodes, '--without': without[0] };
  for (const [flag, value] of Object.entries(given)) {
    if (value !== undefined)
      throw new UsageError(`${flag}: expected without --scenario, which is run alone, got ${value}`);
  }
}

async function swarm(options: SwarmCommandOptions, context: Context): Promise<SwarmDocument> {
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs) / 1000;
  const { scenario, from = 1, seeds = Math.min(2000, lastSeed - from + 1) } = options;
  const last = from + seeds - 1;
  if (last > lastSeed) throw new UsageError(`--seeds: expected seeds up to ${lastSeed}, got ${last}`);
  const found =
    scenario === undefined ? await hunt(from, seeds, options, context) : await runOne(scenario, context.signal);
  const asked = scenario === undefined ? { from, seeds } : {};
  return { version, ...asked, wallSeconds: took(), broken: found === undefined ? null : describe(found, options) };
}

async function hunt(
  from: number,
  seeds: number,
  { jobs = availableParallelism(), without, maxNodes }: SwarmCommandOptions,
  context: Context,
): Promise<Found | undefined> {
  const progress = new Progress(context);
  let done = 0;
  const onDone = (more: number) => {
    done += more;
    progress.count('swarm', done, seeds, 'seeds');
  };
  const onFound = ({ seed, claim }: Broken) =>
    progress.update(() => `swarm: seed ${seed} breaks ${claim}, shrinking it`);
  const options = { without, ...(maxNodes === undefined ? {} : { maxNodes }) };
  try {
    return await runSwarm({ from, seeds, jobs, options, signal: context.signal, onDone, onFound });
  } finally {
    progress.done();
  }
}

function describe(
  { broken, smallest }: Found,
  { scenario: given, without, maxNodes }: SwarmCommandOptions,
): BrokenDocument {
  const { claim, seed, scenario, message } = broken;
  const flags = [
    ...without.map((one) => `--without ${one}`),
    ...(maxNodes === undefined ? [] : [`--max-nodes ${maxNodes}`]),
  ];
  const bySeed = ['tutti swarm', `--from ${seed} --seeds 1`, ...flags].join(' ');
  const again = `tutti swarm --scenario '${scenarioText(smallest.scenario)}'`;
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

function summary({ seeds, from, wallSeconds, broken }: SwarmDocument): string {
  const took = `${grouped(wallSeconds, 1)} s`;
  if (broken === null) {
    if (from === undefined || seeds === undefined) return `Every claim held (${took}).\n`;
    return `Every claim held in ${counted(seeds, 'scenario')}, seeds ${from} to ${from + seeds - 1} (${took}).\n`;
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
    ]),
  ].join('\n');
}
