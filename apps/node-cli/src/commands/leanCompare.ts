import {
  comparedShares,
  comparedWorlds,
  compareLean,
  type LeanComparison,
  type LeanRival,
  leanRivals,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import { breathe, type Context } from '../context.ts';
import { listFlag, numberFlag } from '../flags.ts';
import { addLeanFlags, type LeanFlags, leanScenario, rivalFlag } from '../lean/leanFlags.ts';
import { grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { wrapped } from '../output/folded.ts';
import { Counter } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags extends LeanFlags {
  readonly rivals?: readonly LeanRival[];
  readonly shares: readonly number[];
  readonly ideal?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Output of `tutti lean compare --json`. */
export interface LeanCompareDocument {
  readonly profile: string;
  readonly ideal: boolean;
  readonly seed: number;
  readonly rows: readonly LeanComparison[];
}

export function leanCompareCommand(context: Context): Command {
  const share = numberFlag('--shares', 'a share from 0 to 0.9', (value) => value <= 0.9);
  const command = new Command('compare').description(
    'Run a slot with every rival, in one world: what the next proposer has, and what the provers worked on.',
  );
  return addLeanFlags(command)
    .option('--rivals <list>', `some of ${leanRivals.join(', ')}; default: all`, listFlag(rivalFlag('--rivals')))
    .option('--shares <list>', 'of the aggregators, silent or omitting', listFlag(share), comparedShares)
    .option('--ideal', 'no delay, no limit on time, one merge a round: the closed forms')
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async (flags: Flags, self: Command) => {
      requireOut(flags);
      const base = leanScenario(flags, self, flags.ideal);
      const worlds = comparedWorlds(base, flags.rivals, flags.shares);
      const counter = new Counter(context, 'running', worlds.length, 'slots');
      const rows: LeanComparison[] = [];
      try {
        for (const world of worlds) {
          await breathe(context);
          rows.push(compareLean(world, flags.ideal === true));
          counter.step();
        }
      } finally {
        counter.done();
      }
      const document = { profile: base.profile.name, ideal: flags.ideal === true, seed: base.seed, rows };
      const studied = rows.map((row) => ({ profile: base.profile.name, seed: base.seed, ...row }));
      writeStudy(flags.out, () => studied, self, base.seed);
      answer(context, flags.json, document, text(document));
    });
}

const percent = (share: number) => grouped(100 * share, 1);

function text({ rows, ideal, profile }: LeanCompareDocument): string {
  const deadlines = Object.keys(rows[0]?.covered ?? {});
  const head = [
    'rival',
    'silent, %',
    'omitting, %',
    ...(ideal ? ['covered, %'] : deadlines.map((ms) => `by ${ms} ms, %`)),
    ...(ideal ? [] : deadlines.map((ms) => `together ${ms} ms, %`)),
    'merges',
    'useful, s',
    'duplicate, s',
    'late, s',
    'superseded, s',
    'MB',
    'on topic',
    'rounds',
  ];
  const cells = rows.map((row) => [
    row.rival,
    grouped(100 * row.silent),
    grouped(100 * row.omitting),
    ...(ideal ? deadlines.slice(0, 1) : deadlines).map((ms) => percent(row.covered[ms]!)),
    ...(ideal ? [] : deadlines.map((ms) => percent(row.pooled[ms]!))),
    grouped(row.merges),
    ...(['useful', 'duplicate', 'late', 'superseded'] as const).map((name) => grouped(row.proverSeconds[name], 1)),
    grouped(row.bytes / 1e6),
    grouped(row.proofsOnTopic),
    row.roundsToFull === null ? '-' : grouped(row.roundsToFull),
  ]);
  const [first] = rows;
  const world = `${profile}${ideal ? ', without time' : ''}: ${first?.subnets} subnets, ${first?.aggregators} aggregators\n`;
  const meaning = ideal
    ? 'covered: of all validators, in the best proof. '
    : 'by: of all validators, in the best proof that the next proposer has verified then; together: in all that it has verified. ';
  return `${wrapped(world)}\n${columnTable(head, cells)}\n${wrapped(`${meaning}useful to superseded: seconds of all provers by what became of the proof.`)}\n`;
}
