import {
  defaultLeanScenario,
  type LeanMapCell,
  type LeanScenario,
  leanContenders,
  leanMapCell,
  leanSettings,
  profileCounts,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { answer, breathe, type Context } from '../context.ts';
import { forceOption, integerFlag, listFlag, optionOf, ranged, seedOption, seedsFlag, seedsFrom } from '../flags.ts';
import { leanWorld, profileOf, profileOption } from '../lean/leanFlags.ts';
import { Counter } from '../output/progress.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, grouped, wrapped } from '../output/text.ts';
import { spreadText } from '../results/overSeeds.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags {
  readonly profile: string;
  readonly subnets: readonly number[];
  readonly cores: readonly number[];
  readonly deadlines: readonly number[];
  readonly seed: number;
  readonly seeds: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Output of `tutti lean map --json`. */
export interface LeanMapDocument {
  readonly profile: string;
  readonly seeds: readonly number[];
  readonly world: StatedWorld;
  /** Settings shared by all cells. */
  readonly scenario: LeanScenario;
  readonly cells: readonly LeanMapCell[];
  /** Number of cells that each strategy wins. */
  readonly wins: Readonly<Record<string, number>>;
}

export function leanMapCommand(context: Context): Command {
  return new Command('map')
    .description(
      'Find the strategy that covers the most votes for each combination of subnet count, prover machine and deadline.',
    )
    .addOption(profileOption())
    .option('--subnets <list>', '1 to 256', listFlag(ranged(leanSettings.subnets.range)('--subnets')), [4, 16, 64])
    .option(
      '--cores <list>',
      'numbers of cores of the prover machines',
      listFlag(ranged(profileCounts.cores)('--cores')),
      [8, 16, 64],
    )
    .option(
      '--deadlines <list>',
      'deadlines at which the proposer takes its best proof, ms after the start of the slot',
      listFlag(integerFlag('--deadlines', 100, 600_000)),
      [4000, 8000, 16_000],
    )
    .addOption(seedOption('seed for positions and votes'))
    .addOption(optionOf('seeds', seedsFlag()))
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(
      async ({ profile, subnets, cores, deadlines, seed, seeds: count, out, force, json }: Flags, self: Command) => {
        requireOut({ out, force });
        const base: LeanScenario = { ...defaultLeanScenario, profile: profileOf(profile), start: 'free', seed };
        const seeds = seedsFrom(seed, count);
        const places = subnets.flatMap((of) =>
          cores.flatMap((on) => deadlines.map((at) => ({ subnets: of, cores: on, deadlineMs: at }))),
        );
        const counter = new Counter(context, 'running', places.length, 'places');
        const cells: LeanMapCell[] = [];
        try {
          for (const place of places) {
            await breathe(context);
            cells.push(leanMapCell(base, place, seeds));
            counter.step();
          }
        } finally {
          counter.done();
        }
        const names = leanContenders.map(({ name }) => name);
        const wins = Object.fromEntries(
          names.map((name) => [name, cells.filter(({ winner }) => winner === name).length]),
        );
        const document = {
          profile: base.profile.name,
          seeds,
          world: leanWorld(base, seeds, { varied }),
          scenario: base,
          cells,
          wins,
        };
        const { start, network } = base;
        const columns = { profile: base.profile.name, start, network, seed, seeds: count };
        writeStudy(out, () => cells.map((cell) => ({ ...columns, ...cell })), self, seed);
        answer(context, json, document, text(document));
      },
    );
}

/** Fields that differ between rows, or that follow from the number of subnets. */
const varied = ['strategy', 'subnets', 'aggregators', 'nodes', 'deadlinesMs', 'branching', 'cores'] as const;

function text({ world, cells, wins }: LeanMapDocument): string {
  const names = leanContenders.map(({ name }) => name);
  const table = columnTable(
    ['subnets', 'cores', 'by, ms', ...names.map((name) => `${name}, %`), 'most'],
    cells.map(({ subnets, cores, deadlineMs, covered, winner }) => [
      ...[subnets, cores, deadlineMs].map((value) => grouped(value)),
      ...names.map((name) => spreadText(covered[name]!, 1, 100)),
      winner ?? '-',
    ]),
  );
  const line = `${worldLine(world)} Each subnet has one aggregator, and 32 nodes could propose.`;
  const won = Object.entries(wins).map(([name, count]) => `${name} ${count}`);
  const meaning =
    'Share of all validators in the best proof that a node has verified: mean (p10-p90) over all nodes that could propose and all seeds.';
  const rule = 'Most: the strategy whose p10 lies above the p90 of every other strategy; "-" if the intervals overlap.';
  const legend = 'owners-2 and owners-4: rotating owners of levels with two and four parts.';
  return `${wrapped(`${line}\n`)}\n${table}\n${wrapped(`${meaning} ${rule} Combinations won by each strategy: ${won.join(', ')}. ${legend}`)}\n`;
}
