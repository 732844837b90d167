import {
  defaultLeanScenario,
  type LeanMapCell,
  leanContenders,
  leanMapCell,
  leanSettings,
  profileCounts,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { forceOption, seedOption } from '../commonFlags.ts';
import { breathe, type Context } from '../context.ts';
import { integerFlag, listFlag, ranged } from '../flags.ts';
import { profileOf, profileOption } from '../lean/leanFlags.ts';
import { grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { wrapped } from '../output/folded.ts';
import { Counter } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags {
  readonly profile: string;
  readonly subnets: readonly number[];
  readonly cores: readonly number[];
  readonly deadlines: readonly number[];
  readonly seed: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Output of `tutti lean map --json`. */
export interface LeanMapDocument {
  readonly profile: string;
  readonly seed: number;
  readonly cells: readonly LeanMapCell[];
  /** Number of cells that each strategy wins. */
  readonly wins: Readonly<Record<string, number>>;
}

export function leanMapCommand(context: Context): Command {
  return new Command('map')
    .description(
      'Find who covers most votes: by the number of subnets, the machine that proves, and the time there is.',
    )
    .addOption(profileOption())
    .option('--subnets <list>', '1 to 256', listFlag(ranged(leanSettings.subnets.range)('--subnets')), [4, 16, 64])
    .option(
      '--cores <list>',
      'of the machines that prove',
      listFlag(ranged(profileCounts.cores)('--cores')),
      [8, 16, 64],
    )
    .option(
      '--deadlines <list>',
      'when the proposer looks, ms since the slot began',
      listFlag(integerFlag('--deadlines', 100, 600_000)),
      [4000, 8000, 16_000],
    )
    .addOption(seedOption('draws places and votes'))
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async ({ profile, subnets, cores, deadlines, seed, out, force, json }: Flags, self: Command) => {
      requireOut({ out, force });
      const base = { ...defaultLeanScenario, profile: profileOf(profile), seed };
      const places = subnets.flatMap((count) => cores.flatMap((of) => deadlines.map((at) => [count, of, at] as const)));
      const counter = new Counter(context, 'running', places.length, 'places');
      const cells: LeanMapCell[] = [];
      try {
        for (const [count, of, at] of places) {
          await breathe(context);
          cells.push(leanMapCell(base, count, of, at));
          counter.step();
        }
      } finally {
        counter.done();
      }
      const names = leanContenders.map(({ name }) => name);
      const wins = Object.fromEntries(
        names.map((name) => [name, cells.filter(({ winner }) => winner === name).length]),
      );
      const document = { profile: base.profile.name, seed, cells, wins };
      writeStudy(out, () => cells.map((cell) => ({ profile: base.profile.name, seed, ...cell })), self, seed);
      answer(context, json, document, text(document));
    });
}

function text({ profile, cells, wins }: LeanMapDocument): string {
  const names = leanContenders.map(({ name }) => name);
  const table = columnTable(
    ['subnets', 'cores', 'by, ms', ...names.map((name) => `${name}, %`), 'wins'],
    cells.map(({ subnets, cores, deadlineMs, covered, winner }) => [
      ...[subnets, cores, deadlineMs].map((value) => grouped(value)),
      ...names.map((name) => grouped(100 * covered[name]!, 1)),
      winner,
    ]),
  );
  const won = Object.entries(wins).map(([name, count]) => `${name} ${count}`);
  return `${wrapped(`${profile}: of all validators, in the best proof that the next proposer has verified\n`)}\n${table}\n${wrapped(`Wins: ${won.join(', ')}. Of those within a hundredth, who has worked least wins. owners-2 and owners-4: turning owners of levels, two and four parts.`)}\n`;
}
