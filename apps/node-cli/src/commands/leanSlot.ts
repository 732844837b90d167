import {
  type LeanMetric,
  type LeanRecording,
  type LeanScenario,
  type LeanSlotResult,
  type LeanStrategy,
  leanMetrics,
  leanOutcomes,
  leanSlotResult,
  leanStrategies,
  recordLeanSlot,
  runLeanSlot,
  type Summary,
  sampleLeanSlot,
  slotsInRow,
  summaryFields,
  type VoteTraffic,
  voteTraffic,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { type FlagsOf, flag, integer, seedsFrom, withFlags, words } from '../flags.ts';
import { addLeanFlags, type LeanFlags, leanScenario, leanWorld, strategyFlag } from '../lean/leanFlags.ts';
import { requirePlace, writeWhole } from '../output/files.ts';
import { runEach } from '../output/progress.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, counted, grouped, pairTable, wrapped } from '../output/text.ts';
import { spreadText } from '../results/overSeeds.ts';
import { outputFlags, requireOut, writeStudy } from '../results/tableFile.ts';

const ownFlags = {
  strategy: flag('<name>', `one of ${leanStrategies.join(', ')}`, strategyFlag, 'halving-owners'),
  slots: flag(
    '<n>',
    'number of consecutive slots over which the lag of justification is also measured (default: one slot, without the lag)',
    integer(2, 4096),
  ),
  record: flag('<file>', 'write the events to a JSON file', words),
  ...outputFlags,
};

type Flags = LeanFlags & FlagsOf<typeof ownFlags>;

/** Output of `tutti lean slot --json`. */
interface LeanSlotDocument {
  readonly strategy: LeanStrategy;
  readonly profile: string;
  readonly world: StatedWorld;
  readonly scenario: LeanScenario;
  /** Result over all possible proposers and all seeds. */
  readonly result: LeanSlotResult;
  /** Bytes of votes that a node receives on subnets, summarised over all seeds. */
  readonly votes: Readonly<Record<keyof VoteTraffic, Summary>>;
  /** Number of slots by which justification lags behind the clock in the second half of `--slots`. */
  readonly lag: { readonly mean: number; readonly max: number } | undefined;
  /** Metrics, with the same names as in leanMetrics. */
  readonly metrics: readonly LeanMetric[];
  /** Recording of the slot of the first seed. */
  readonly recording: LeanRecording;
}

export function leanSlotCommand(context: Context): Command {
  const command = new Command('slot').description(
    "Simulate a slot with one strategy and several seeds. Print each prover's work for the first seed, and the results over all seeds.",
  );
  return withFlags(addLeanFlags(command), ownFlags).action(async (flags: Flags, self: Command) => {
    if (flags.record !== undefined) requirePlace(flags.record, flags.force);
    requireOut(flags);
    const scenario = { ...leanScenario(flags, self), strategy: flags.strategy };
    const { run } = runLeanSlot(scenario);
    const seeds = seedsFrom(scenario.seed, flags.seeds);
    const runSeed = (seed: number) => {
      const ofSeed = { ...scenario, seed };
      return { sample: sampleLeanSlot(ofSeed), traffic: voteTraffic(ofSeed) };
    };
    const runs = await runEach(seeds, runSeed, 'seeds', context);
    const result = leanSlotResult(runs.map(({ sample }) => sample));
    const recording = recordLeanSlot(run);
    if (flags.record !== undefined) writeWhole(flags.record, `${JSON.stringify(recording)}\n`);
    const metrics = leanMetrics(run);
    const columns = { strategy: flags.strategy, profile: scenario.profile.name };
    const rows = () => metrics.map((one) => ({ ...columns, seed: scenario.seed, ...one }));
    writeStudy(flags.out, rows, self, scenario.seed);
    const lag = flags.slots === undefined ? undefined : await justificationLag(scenario, flags.slots, context);
    const document = {
      ...columns,
      world: leanWorld(scenario, result.seeds),
      scenario,
      result,
      votes: summaryFields(runs.map(({ traffic }) => ({ ...traffic }))),
      lag,
      metrics,
      recording,
    };
    answer(context, flags.json, document, text(document));
  });
}

/** Simulates consecutive slots and returns the number of slots by which justification lags behind the clock. */
async function justificationLag(
  scenario: LeanScenario,
  count: number,
  context: Context,
): Promise<LeanSlotDocument['lag']> {
  const chain = slotsInRow(scenario, count);
  await runEach(Array.from({ length: count }), () => chain.run(), 'slots', context);
  return chain.result().justificationLag;
}

/** Maximum number of proofs in the printed table. */
const maxRows = 16;

function text({ strategy, world, result, votes, lag, recording }: LeanSlotDocument): string {
  const { seeds } = result;
  const share = (of: Summary) => `${spreadText(of, 1, 100)} %`;
  const ms = (value: number | null) => (value === null ? 'never' : `${grouped(value)} ms`);
  const lanes = recording.lanes.filter(({ jobs }) => jobs.length > 0);
  const jobs = lanes.flatMap(({ position, subnet, jobs: of }) => of.map((job) => ({ position, subnet, ...job })));
  const first = jobs.sort((a, b) => a.startMs - b.startMs).slice(0, maxRows);
  return [
    wrapped(`${strategy}: ${worldLine(world)}\n`),
    pairTable([
      ...Object.entries(result.covered).map(
        ([at, best]) =>
          [
            `proposer, at ${at} ms`,
            `${share(best)} in the best proof, ${share(result.pooled[at]!)} in all proofs together`,
          ] as const,
      ),
      ['two thirds', `median node ${ms(result.twoThirdsMs.median)}, last ${ms(result.twoThirdsMs.worst)}`],
      [
        'proofs',
        `${spreadText(result.leaves)} of raw votes, ${spreadText(result.merges)} merges, ${spreadText(result.proofsOnTopic)} on the global topic`,
      ],
      ['provers', leanOutcomes.map((name) => `${spreadText(result.proverSeconds[name], 1)} s ${name}`).join(', ')],
      ['provers idle', share(result.idleShare)],
      [
        'bytes received',
        `${spreadText(result.bytes, 0, 1e-6)} MB, ${spreadText(result.verificationSeconds, 1)} s of verifying`,
      ],
      [
        'votes received',
        `${spreadText(votes.aggregators, 1, 1e-6)} MB per aggregator, ${spreadText(votes.others, 1, 1e-6)} MB per other node`,
      ],
      [
        'votes left out',
        `${spreadText(result.excluded.noAggregator)} without an aggregator, ${spreadText(result.excluded.notProved)} not proved, ${spreadText(result.excluded.notThere)} too late`,
      ],
      ...(lag === undefined
        ? []
        : [['justified', `${grouped(lag.mean, 1)} slots behind on average, at most ${grouped(lag.max)}`] as const]),
    ]),
    wrapped(
      `Mean (p10-p90) over ${counted(result.proposers, 'node')} that could propose and ${counted(seeds.length, 'seed')}. The proofs below are from seed ${seeds[0]}, with their outcomes at node ${recording.proposer}:\n`,
    ),
    columnTable(
      ['prover', 'subnet', 'from, ms', 'to, ms', 'children', 'raw votes', 'validators', 'outcome'],
      first.map(({ position, subnet, startMs, endMs, proof, outcome }) => {
        const { children, rawVotes, size } = recording.proofs[proof]!;
        const cells = [position, subnet, startMs, endMs, children.length, rawVotes, size].map((value) =>
          grouped(value),
        );
        return [...cells, outcome];
      }),
    ),
    ...(jobs.length > maxRows
      ? [wrapped(`The table shows the first ${maxRows} of ${jobs.length} proofs; --json prints all of them.\n`)]
      : []),
  ].join('\n');
}
