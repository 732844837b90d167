import {
  deadlines,
  defaultLeanScenario,
  type LeanMapCell,
  type LeanScenario,
  leanContenders,
  leanMapCell,
  leanMapProposers,
  leanMapScenarios,
  leanSettings,
  profileCounts,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import {
  countSetting,
  type FlagsOf,
  flag,
  flagPaths,
  listFlag,
  ranged,
  seedFlag,
  seedsFlag,
  seedsFrom,
  validatedFlags,
  withFlags,
} from '../flags.ts';
import { leanWorld, profileOf, profileOption } from '../lean/leanFlags.ts';
import { runEach } from '../output/progress.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, grouped, wrapped } from '../output/text.ts';
import { spreadText } from '../results/overSeeds.ts';
import { outputFlags, requireOut, writeStudy } from '../results/tableFile.ts';

const mapFlags = {
  subnets: flag(
    '<list>',
    countSetting(leanSettings.subnets).about,
    (name) => listFlag(ranged(leanSettings.subnets.range)(name)),
    [4, 16, 64],
  ),
  cores: flag(
    '<list>',
    'numbers of cores of the prover machines',
    (name) => listFlag(ranged(profileCounts.cores)(name)),
    [8, 16, 64],
  ),
  deadlines: flag(
    '<list>',
    'deadlines at which the proposer takes its best proof, ms after the start of the slot',
    (name) => listFlag(ranged(deadlines)(name)),
    [4000, 8000, 16_000],
  ),
  seed: seedFlag('seed for positions and votes'),
  seeds: seedsFlag(),
  ...outputFlags,
};

interface Flags extends FlagsOf<typeof mapFlags> {
  readonly profile: string;
}

/** Output of `tutti lean map --json`. */
interface LeanMapDocument {
  readonly profile: string;
  readonly seeds: readonly number[];
  readonly world: StatedWorld;
  /** Base of all cells, which set the subnets, aggregators, nodes, cores, deadlines, strategy and branching. */
  readonly scenario: LeanScenario;
  readonly cells: readonly LeanMapCell[];
  /** Number of cells that each strategy wins. */
  readonly wins: Readonly<Record<string, number>>;
}

export function leanMapCommand(context: Context): Command {
  const command = new Command('map')
    .description(
      'Find the strategy that covers the most votes for each combination of subnet count, prover machine and deadline.',
    )
    .addOption(profileOption());
  return withFlags(command, mapFlags).action(async (flags: Flags, self: Command) => {
    requireOut(flags);
    const { seed } = flags;
    const scenario: LeanScenario = {
      ...defaultLeanScenario,
      profile: profileOf(flags.profile),
      start: 'free',
      seed,
    };
    const seeds = seedsFrom(seed, flags.seeds);
    const places = flags.subnets.flatMap((subnets) =>
      flags.cores.flatMap((cores) => flags.deadlines.map((deadlineMs) => ({ subnets, cores, deadlineMs }))),
    );
    validatedFlags(flagPaths(self), () => places.map((place) => leanMapScenarios(scenario, place)));
    const cells = await runEach(places, (place) => leanMapCell(scenario, place, seeds), 'places', context);
    const wins = Object.fromEntries(names.map((name) => [name, cells.filter(({ winner }) => winner === name).length]));
    const profile = scenario.profile.name;
    const document = { profile, seeds, world: leanWorld(scenario, seeds, { varied }), scenario, cells, wins };
    const { start, network } = scenario;
    const columns = { profile, start, network, seed, seeds: seeds.length };
    writeStudy(flags.out, () => cells.map((cell) => ({ ...columns, ...cell })), self, seed);
    answer(context, flags.json, document, text(document));
  });
}

/** Names of the compared strategies. */
const names = leanContenders.map(({ name }) => name);

/** Fields that differ between rows, or that follow from the number of subnets. */
const varied = ['strategy', 'subnets', 'aggregators', 'nodes', 'deadlinesMs', 'branching', 'cores'] as const;

function text({ world, cells, wins }: LeanMapDocument): string {
  const table = columnTable(
    ['subnets', 'cores', 'by, ms', ...names.map((name) => `${name}, %`), 'most'],
    cells.map(({ subnets, cores, deadlineMs, covered, winner }) => [
      ...[subnets, cores, deadlineMs].map((value) => grouped(value)),
      ...names.map((name) => spreadText(covered[name]!, 1, 100)),
      winner ?? '-',
    ]),
  );
  const line = `${worldLine(world)} Each subnet has one aggregator, and ${leanMapProposers} nodes could propose.`;
  const won = Object.entries(wins).map(([name, count]) => `${name} ${count}`);
  const meaning =
    'Share of all validators in the best proof that a node has verified: mean (p10-p90) over all nodes that could propose and all seeds.';
  const rule = 'Most: the strategy whose p10 lies above the p90 of every other strategy; "-" if the intervals overlap.';
  const legend = 'owners-2 and owners-4: rotating owners of levels with two and four parts.';
  return `${wrapped(`${line}\n`)}\n${table}\n${wrapped(`${meaning} ${rule} Combinations won by each strategy: ${won.join(', ')}. ${legend}`)}\n`;
}
