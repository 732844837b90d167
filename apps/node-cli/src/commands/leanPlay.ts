import {
  type LeanMetric,
  type LeanRecording,
  type LeanRival,
  type LeanSlotResult,
  leanMetrics,
  leanOutcomes,
  leanRivals,
  recordLeanSlot,
  runLeanSlot,
  runSlotsInRow,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { addLeanFlags, type LeanFlags, leanScenario, rivalFlag } from '../lean/leanFlags.ts';
import { counted, grouped } from '../numbers.ts';
import { requirePlace, writeWhole } from '../output/files.ts';
import { wrapped } from '../output/folded.ts';
import { columnTable, pairTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags extends LeanFlags {
  readonly rival: LeanRival;
  readonly slots?: number;
  readonly record?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Output of `tutti lean play --json`. */
export interface LeanPlayDocument {
  readonly rival: LeanRival;
  readonly profile: string;
  readonly result: LeanSlotResult;
  /** Slots of `--slots` by which justification is behind the clock, in the second half. */
  readonly lag: { readonly mean: number; readonly most: number } | undefined;
  /** Metrics by leanMetrics' names. */
  readonly metrics: readonly LeanMetric[];
  readonly recording: LeanRecording;
}

export function leanPlayCommand(context: Context): Command {
  const command = new Command('play').description(
    'Run a slot with one rival: what each prover did, and what came of it.',
  );
  return addLeanFlags(command)
    .option('--rival <name>', `one of ${leanRivals.join(', ')}`, rivalFlag('--rival'), 'halving-owners')
    .option('--slots <n>', 'so many in a row, for what justification is behind', integerFlag('--slots', 2, 4096))
    .option('--record <file>', 'write what happened to a JSON file')
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action((flags: Flags, self: Command) => {
      if (flags.record !== undefined) requirePlace(flags.record, flags.force);
      requireOut(flags);
      const scenario = { ...leanScenario(flags, self), rival: flags.rival };
      const { run, result } = runLeanSlot(scenario);
      const recording = recordLeanSlot(run);
      if (flags.record !== undefined) writeWhole(flags.record, `${JSON.stringify(recording)}\n`);
      const metrics = leanMetrics(run, result);
      const studied = metrics.map((one) => ({ rival: flags.rival, seed: scenario.seed, ...one }));
      writeStudy(flags.out, () => studied, self, scenario.seed);
      const lag = flags.slots === undefined ? undefined : runSlotsInRow(scenario, flags.slots).justificationLag;
      const document = { rival: flags.rival, profile: scenario.profile.name, result, lag, metrics, recording };
      context.out(flags.json ? `${JSON.stringify(document)}\n` : text(document));
    });
}

const most = 16;

function text({ rival, profile, result, lag, recording }: LeanPlayDocument): string {
  const share = (of: number) => `${grouped(100 * of, 1)} %`;
  const ms = (value: number | null) => (value === null ? 'never' : `${grouped(value)} ms`);
  const lanes = recording.lanes.filter(({ jobs }) => jobs.length > 0);
  const jobs = lanes.flatMap(({ position, subnet, jobs: of }) => of.map((job) => ({ position, subnet, ...job })));
  const first = jobs.sort((a, b) => a.startMs - b.startMs).slice(0, most);
  return [
    wrapped(
      `${rival}, ${profile}: ${counted(recording.lanes.length, 'aggregator')} of ${counted(recording.subnets, 'subnet')}\n`,
    ),
    pairTable([
      ...Object.entries(result.covered).map(
        ([at, best]) =>
          [`proposer at ${at} ms`, `${share(best)} in its best proof, ${share(result.pooled[at]!)} in all`] as const,
      ),
      ['two thirds', `median node ${ms(result.twoThirdsMs.median)}, last ${ms(result.twoThirdsMs.worst)}`],
      ['proofs', `${result.leaves} of raw votes, ${result.merges} merges, ${result.proofsOnTopic} on the global topic`],
      ['provers', leanOutcomes.map((name) => `${grouped(result.proverSeconds[name], 1)} s ${name}`).join(', ')],
      ['provers idle', share(result.idleShare)],
      ['bytes received', `${grouped(result.bytes / 1e6)} MB, ${grouped(result.verificationSeconds, 1)} s of verifying`],
      [
        'votes left out',
        `${result.excluded.noAggregator} without an aggregator, ${result.excluded.notProved} not proved, ${result.excluded.notThere} not there in time`,
      ],
      ...(lag === undefined
        ? []
        : [['justified', `${grouped(lag.mean, 1)} slots behind, at most ${grouped(lag.most)}`] as const]),
    ]),
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
    ...(jobs.length > most ? [wrapped(`The first ${most} of ${jobs.length} proofs; --json has all.\n`)] : []),
  ].join('\n');
}
