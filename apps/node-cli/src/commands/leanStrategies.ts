import {
  comparedShares,
  comparedWorlds,
  compareLean,
  type LeanComparison,
  type LeanRanking,
  type LeanScenario,
  leanRankings,
  leanStrategies,
  type Summary,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { type FlagsOf, flag, listFlag, numberFlag, seedsFrom, toggle, withFlags } from '../flags.ts';
import { addLeanFlags, type LeanFlags, leanScenario, leanWorld, strategyFlag } from '../lean/leanFlags.ts';
import { runEach } from '../output/progress.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, grouped, wrapped } from '../output/text.ts';
import { spreadText } from '../results/overSeeds.ts';
import { outputFlags, requireOut, writeStudy } from '../results/tableFile.ts';

const ownFlags = {
  strategies: flag('<list>', `some of ${leanStrategies.join(', ')} (default: all)`, (name) =>
    listFlag(strategyFlag(name)),
  ),
  shares: flag(
    '<list>',
    'share of the aggregators that are silent or omit votes',
    (name) => listFlag(numberFlag(name, 'a share from 0 to 0.9', (share) => share <= 0.9)),
    comparedShares,
  ),
  ideal: toggle('simulate rounds of one merge each, without delays or time limits, for comparison with closed forms'),
  ...outputFlags,
};

type Flags = LeanFlags & FlagsOf<typeof ownFlags>;

/** Output of `tutti lean strategies --json`. */
interface LeanStrategiesDocument {
  readonly profile: string;
  readonly ideal: boolean;
  readonly seeds: readonly number[];
  readonly world: StatedWorld;
  /** Base of all rows, which set the strategy and the Byzantine roles. */
  readonly scenario: LeanScenario;
  readonly rows: readonly LeanComparison[];
  /** Rankings of strategies that the intervals from p10 to p90 support. */
  readonly rankings: readonly LeanRanking[];
}

export function leanStrategiesCommand(context: Context): Command {
  const command = new Command('strategies').description(
    'Simulate a slot with every strategy and several seeds. Compare the votes that potential proposers have and the work of the provers.',
  );
  return withFlags(addLeanFlags(command), ownFlags).action(async (flags: Flags, self: Command) => {
    requireOut(flags);
    const { ideal = false } = flags;
    const scenario = leanScenario(flags, self, ideal);
    const seeds = seedsFrom(flags.seed, flags.seeds);
    const worlds = comparedWorlds(scenario, flags.strategies, flags.shares);
    const rows = await runEach(worlds, (world) => compareLean(world, ideal, seeds), 'worlds', context);
    const world = leanWorld(scenario, seeds, { isIdeal: ideal });
    const profile = scenario.profile.name;
    const document = { profile, ideal, seeds, world, scenario, rows, rankings: leanRankings(rows) };
    const columns = settingColumns(scenario, seeds);
    writeStudy(
      flags.out,
      () => rows.map((row) => ({ ...columns, ...row, roundsToFull: row.roundsToFull ?? noSpread })),
      self,
      scenario.seed,
    );
    answer(context, flags.json, document, text(document));
  });
}

/** Columns for a quantity that has no value. */
const noSpread = { mean: null, min: null, p10: null, p90: null, max: null };

/** Returns the settings as table columns. */
function settingColumns(scenario: LeanScenario, seeds: readonly number[]): object {
  const { profile, start, network, nodes, aggregatorMbps, downMbps, upMbps } = scenario;
  const settings = { start, network, nodes, aggregatorMbps, downMbps, upMbps };
  return { profile: profile.name, cores: profile.cores, ...settings, seed: seeds[0], seeds: seeds.length };
}

function text({ rows, ideal, world, rankings }: LeanStrategiesDocument): string {
  const deadlines = Object.keys(rows[0]?.covered ?? {});
  const share = (spread: Summary) => spreadText(spread, 1, 100);
  const head = [
    'strategy',
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
    row.strategy,
    grouped(100 * row.silent),
    grouped(100 * row.omitting),
    ...(ideal ? deadlines.slice(0, 1) : deadlines).map((ms) => share(row.covered[ms]!)),
    ...(ideal ? [] : deadlines.map((ms) => share(row.pooled[ms]!))),
    spreadText(row.merges),
    ...(['useful', 'duplicate', 'late', 'superseded'] as const).map((name) => spreadText(row.proverSeconds[name], 1)),
    spreadText(row.bytes, 0, 1e-6),
    spreadText(row.proofsOnTopic),
    row.roundsToFull === null ? '-' : spreadText(row.roundsToFull),
  ]);
  const meaning = ideal
    ? 'Covered: share of all validators in the best proof. '
    : 'By: share of all validators in the best proof that a node has verified by that time. Together: share of all validators covered by the proofs that the node has verified; one more merge could combine these proofs. Over all nodes that could propose and all seeds: ';
  const form =
    'mean (p10-p90). The columns from useful to superseded give the seconds that all provers spent, by outcome of the proof.';
  return [
    wrapped(`${worldLine(world)}\n`),
    columnTable(head, cells),
    wrapped(`${meaning}${form}\n`),
    wrapped(`${rankingText(rankings, deadlines.at(-1))}\n`),
  ].join('\n');
}

/** Describes the ranking of the strategies at the last deadline. */
function rankingText(rankings: readonly LeanRanking[], deadline: string | undefined): string {
  const last = rankings.filter(({ quantity, deadlineMs }) => quantity === 'pooled' && String(deadlineMs) === deadline);
  const sentences = last.map(({ strategy, above, silent, omitting }) => {
    const world =
      silent > 0
        ? ` (${grouped(100 * silent)} % silent)`
        : omitting > 0
          ? ` (${grouped(100 * omitting)} % omitting)`
          : '';
    return `${strategy} ranks above ${above.join(', ')}${world}`;
  });
  const rule = 'A ranking is stated only if p10 of one strategy lies above p90 of the other.';
  return sentences.length === 0
    ? `${rule} In the column "together ${deadline} ms", no two strategies can be ranked.`
    : `${rule} In the column "together ${deadline} ms", ${sentences.join('; ')}.`;
}
