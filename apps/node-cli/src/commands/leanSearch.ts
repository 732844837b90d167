import { availableParallelism } from 'node:os';
import {
  type LeanObjective,
  type LeanRival,
  type LeanScenario,
  LeanSearch,
  type LeanTried,
  leanObjectives,
  leanRivals,
  tryLean,
} from '@tutti/simulation/lean';
import { Command } from 'commander';
import { runSearch } from '../attacks/runSearch.ts';
import { type SearchFlags, searchFlags } from '../attacks/searchFlags.ts';
import { forceOption, jobsOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choiceFlag, integerFlag, numberFlag, withFlags } from '../flags.ts';
import { addLeanFlags, type LeanFlags, leanScenario } from '../lean/leanFlags.ts';
import type { LeanSearchTask } from '../lean/leanSearchThread.ts';
import { counted, grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { wrapped } from '../output/folded.ts';
import { Progress } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags extends LeanFlags, SearchFlags {
  readonly rival: LeanRival;
  readonly share: number;
  readonly objective: LeanObjective;
  readonly slots: number;
  readonly hard?: boolean;
  readonly jobs?: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `tutti lean search --json` prints. */
export interface LeanSearchDocument {
  readonly rival: LeanRival;
  readonly profile: string;
  readonly share: number;
  readonly objective: LeanObjective;
  readonly seed: number;
  readonly tried: number;
  /** With nobody but honest aggregators, in the world as it was given. */
  readonly honest: LeanTried;
  /** In the world as it was given, and, with `--hard`, in those that were made harder: the worst first. */
  readonly classes: readonly { readonly world: 'as given' | 'harder'; readonly worst: readonly LeanFound[] }[];
}

/** In words, and the command that runs it again. */
type LeanFound = LeanTried & { readonly plan: string; readonly again: string };

export function leanSearchCommand(context: Context): Command {
  const command = new Command('search').description(
    'Search for what a share of the aggregators can do: votes that the next proposer lacks, or how far justification falls behind.',
  );
  addLeanFlags(command)
    .option('--rival <name>', `one of ${leanRivals.join(', ')}`, choiceFlag('--rival', leanRivals), 'handel-owners')
    .option(
      '--share <share>',
      'of the aggregators that are not honest',
      numberFlag('--share', 'a share from 0 to 0.9', (share) => share <= 0.9),
      0.2,
    )
    .option(
      '--objective <name>',
      `what an attack is judged by: ${leanObjectives.join(' or ')}`,
      choiceFlag('--objective', leanObjectives),
      'excluded',
    )
    .option('--slots <n>', 'in a row, for the lag', integerFlag('--slots', 2, 4096), 16)
    .option('--hard', 'make worlds harder too: clocks, slow machines, subnets without aggregators, shared provers');
  return withFlags(command, searchFlags)
    .addOption(jobsOption())
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async (flags: Flags, self: Command) => {
      requireOut(flags);
      const document = await search(flags, self, context);
      writeStudy(flags.out, () => studyRows(document), self, flags.seed);
      answer(context, flags.json, document, text(document));
    });
}

async function search(flags: Flags, command: Command, context: Context): Promise<LeanSearchDocument> {
  const { rival, share, objective, slots, hard = false, minutes, tries, jobs = availableParallelism(), seed } = flags;
  const base = { ...leanScenario(flags, command), rival };
  const rows = objective === 'lag' ? slots : undefined;
  const world = { clocksMs: base.clocksMs, slowShare: base.slowShare, unserved: base.unserved, perHost: base.perHost };
  const honest = tryLean({ roles: {}, placement: 'drawn', world }, { ...base, roles: {} }, rows);
  const done = new LeanSearch({ base, share, objective, hard, slots, seed });
  const progress = new Progress(context);
  try {
    await runSearch({
      search: done,
      script: new URL('../lean/leanSearchThread.js', import.meta.url),
      taskOf: (trial): LeanSearchTask => ({ trial, scenario: done.scenario(trial), slots: rows }),
      describe: ({ trial }) => JSON.stringify(trial),
      ...{ minutes, tries, jobs, signal: context.signal },
      onLearnt: (work) => progress.update(() => `searching: ${grouped(done.tried)} tried`, work),
    });
  } finally {
    progress.done();
  }
  const again = commandOf(flags, command, base);
  const classes = done.worst.map((worst, at) => ({
    world: at === 0 ? ('as given' as const) : ('harder' as const),
    worst: worst.map((one) => ({ ...one, plan: planOf(one), again: again(one) })),
  }));
  return { rival, profile: base.profile.name, share, objective, seed, tried: done.tried, honest, classes };
}

function planOf({ roles }: LeanTried): string {
  return Object.entries(roles)
    .map(([role, count]) => `${count} ${role}`)
    .join(', ');
}

const retold = ['profile', 'subnets', 'aggregators', 'nodes', 'cores', 'branching', 'start', 'network'] as const;

/** The command that runs a trial again, with the flags that were given. */
function commandOf({ objective, slots, rival }: Flags, command: Command, { aggregators }: LeanScenario) {
  const given = [...retold, 'deadlines', 'slot', 'seed'].filter((name) => command.getOptionValueSource(name) === 'cli');
  const same = given.map((name) => `--${name} ${[command.getOptionValue(name)].flat().join()}`);
  return ({ roles, placement, world }: LeanTried): string => {
    const { clocksMs, slowShare, unserved, perHost } = world;
    return [
      `tutti lean play --rival ${rival}`,
      ...same,
      ...Object.entries(roles).map(([role, count]) => `--role ${role}:${Number((count / aggregators).toFixed(5))}`),
      `--placement ${placement}`,
      ...(clocksMs > 0 ? [`--clocks ${clocksMs}`] : []),
      ...(slowShare > 0 ? [`--slow ${slowShare}`] : []),
      ...(unserved > 0 ? [`--unserved ${unserved}`] : []),
      ...(perHost > 1 ? [`--per-host ${perHost}`] : []),
      ...(objective === 'lag' ? [`--slots ${slots}`] : []),
    ].join(' ');
  };
}

/** A row an attack, the worst of each world first, with what is left out where all are honest beside it. */
function studyRows({ rival, profile, share, objective, seed, honest, classes }: LeanSearchDocument): object[] {
  const setting = { rival, profile, seed, dishonestShare: share, objective };
  return classes.flatMap(({ world: given, worst }) =>
    worst.map(({ plan, placement, world, excluded, lag, again }, index) => ({
      ...{ ...setting, world: given, rank: index + 1, plan, placement },
      ...{ clocksMs: world.clocksMs, slowShare: world.slowShare, unserved: world.unserved, perHost: world.perHost },
      ...{ excludedShare: excluded, honestExcludedShare: honest.excluded },
      ...(lag !== undefined && { justificationLag: lag, honestJustificationLag: honest.lag }),
      again,
    })),
  );
}

function text({ rival, profile, share, objective, tried, honest, classes }: LeanSearchDocument): string {
  const lag = (one: LeanTried) => (one.lag === undefined ? '' : `, justified ${grouped(one.lag, 1)} slots behind`);
  const head = wrapped(
    `${rival}, ${profile}: ${counted(tried, 'attack')} of ${grouped(100 * share)} % of the aggregators, by ${objective}. All honest: ${grouped(100 * honest.excluded, 1)} % of the votes left out${lag(honest)}.\n`,
  );
  return [head, ...classes.flatMap(({ world, worst }) => (worst.length === 0 ? [] : [classTable(world, worst)]))].join(
    '\n',
  );
}

function classTable(world: string, worst: readonly LeanFound[]): string {
  const table = columnTable(
    ['the worst', 'where', 'clocks, ms', 'slow, %', 'unserved', 'a host', 'left out, %', 'justified behind'],
    worst.map(({ plan, placement, world: of, excluded, lag }) => [
      plan,
      placement,
      grouped(of.clocksMs),
      grouped(100 * of.slowShare),
      grouped(of.unserved),
      grouped(of.perHost),
      grouped(100 * excluded, 1),
      lag === undefined ? '-' : grouped(lag, 1),
    ]),
  );
  // In one line whatever the width, to be copied.
  return `The world ${world}:\n\n${table}\nreproduce with  ${worst[0]!.again}\n`;
}
