import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { type ResultTable, resultTable, runDocument } from '@tutti/lab/results';
import type { Spread } from '@tutti/simulation';
import { Command } from 'commander';
import { answer, type Context, commandLine, Interrupted } from '../context.ts';
import { jobsOption, jsonOption } from '../flags.ts';
import { requireNamed } from '../output/files.ts';
import { Progress, timeTaken } from '../output/progress.ts';
import { columnTable, counted, grouped, wrapped } from '../output/text.ts';
import { readRuns } from '../results/readTable.ts';
import { tableForm, writeTable } from '../results/tableFile.ts';
import { estimatedCostMs } from '../sweep/cost.ts';
import type { SweepEngine } from '../sweep/engine.ts';
import { localEngine } from '../sweep/localEngine.ts';
import { readPlan, type SweepPlan } from '../sweep/plan.ts';
import { variedText } from '../sweep/point.ts';
import { type SweepGroup, summarize } from '../sweep/summary.ts';
import { SweepOutput } from '../sweep/sweepOutput.ts';

/** Flags that every engine has. */
export interface SweepOptions {
  readonly out: string;
  readonly json?: boolean;
}

/** Output of `tutti sweep --json`. */
interface SweepDocument {
  readonly name: string;
  readonly version: string;
  /** Name of the engine: `local`, or the name of an extension's engine. */
  readonly engine: string;
  readonly out: string;
  readonly points: number;
  /** Number of points that this command ran; the output already contained the other points. */
  readonly ran: number;
  readonly wallSeconds: number;
  /** CPU time of this process including its threads, seconds. It excludes workers on other machines. */
  readonly cpuSeconds: number;
  readonly varied: readonly string[];
  readonly groups: readonly SweepGroup[];
}

/** Adds the argument and the flags that every engine has. */
export function withSweepFlags(command: Command): Command {
  return command
    .argument('<file>', 'the sweep file, in JSON')
    .requiredOption(
      '--out <file>',
      'file for the results, one JSON line per run; finished points are not run again. For a file name that ends in .csv or .parquet, the file is a table, and the JSON lines are in FILE.jsonl',
    )
    .addOption(jsonOption);
}

/**
 * Runs the points of a sweep file that the output file does not contain, and prints the results of all points.
 *
 * @param command command whose command line is stored in a table.
 */
export async function sweepFile(
  file: string,
  options: SweepOptions,
  engine: SweepEngine,
  command: Command,
  context: Context,
): Promise<void> {
  await runPlan(readPlan(file), options, engine, command, context);
}

/** Runs the points of a plan that the output file does not contain, and prints the results of all points. */
export async function runPlan(
  plan: SweepPlan,
  { out, json, force }: SweepOptions & { readonly force?: boolean },
  engine: SweepEngine,
  command: Command,
  context: Context,
): Promise<void> {
  const isTable = tableForm(out) !== undefined;
  const lines = isTable ? `${out}.jsonl` : out;
  requireNamed(out, true);
  if (isTable && !force && existsSync(out) && !existsSync(lines))
    throw new EnvironmentError(
      'file-exists',
      `${out}: expected the table of an earlier sweep, next to ${lines}, got another file; use another name`,
    );
  const document = await sweep(plan, lines, engine, context);
  if (isTable) writeTable(out, sweepTable(document.out, plan), { command: commandLine(command), version });
  const tableLine = isTable ? `The table with one row per run is in ${out}.\n` : '';
  answer(context, json, document, `${summary(document)}${tableLine}`);
}

/**
 * Returns the runs of the sweep in the order of its plan. The output file is in the order in which runs ended, and may
 * contain runs of other sweeps.
 */
function sweepTable(path: string, { points }: SweepPlan): ResultTable {
  const ofKey = new Map(readRuns(path).map((run) => [run.key, run]));
  return resultTable(points.flatMap(({ key }) => ofKey.get(key) ?? []).map(runDocument));
}

async function sweep(plan: SweepPlan, out: string, engine: SweepEngine, context: Context): Promise<SweepDocument> {
  const startedMs = performance.now();
  const output = new SweepOutput(plan, out);
  const { tally, doneBefore } = output;
  try {
    await runMissing(plan, output, engine, context);
  } catch (error) {
    if (error instanceof Interrupted)
      context.err(
        `${out} has ${grouped(tally.done)} of ${counted(plan.points.length, 'point')}; run the command again to continue\n`,
      );
    throw error;
  } finally {
    output.close();
  }
  return {
    name: plan.name,
    version,
    engine: engine.name,
    out,
    points: plan.points.length,
    ran: tally.done - doneBefore,
    ...timeTaken(startedMs),
    varied: plan.varied,
    groups: summarize(plan, tally),
  };
}

/** Runs the points that the output file does not contain, and shows the progress. */
async function runMissing(
  { points: all, networks }: SweepPlan,
  output: SweepOutput,
  engine: SweepEngine,
  context: Context,
): Promise<void> {
  const { tally } = output;
  const isDone = (key: string) => tally.has(key);
  const points = all.filter(({ key }) => !isDone(key));
  if (points.length === 0) return;
  let costLeft = points.reduce((sum, { scenario }) => sum + estimatedCostMs(scenario), 0);
  let costDone = 0;
  let workers: number | undefined;
  const progress = new Progress(context);
  const show = () =>
    progress.update(
      () => {
        const done = `sweeping: ${grouped(tally.done)} of ${counted(all.length, 'point')}`;
        if (workers === 0) return `${done}, but no worker serves the queue`;
        return `${done}${workers === undefined ? '' : `, ${counted(workers, 'worker')}`}`;
      },
      // The extrapolation omits the first results, because these include the time for starting threads and workers.
      costDone === 0 ? undefined : { done: costDone, left: costLeft },
    );
  const onLines = (lines: readonly string[]) => {
    for (const { scenario } of output.take(lines)) {
      costLeft -= estimatedCostMs(scenario);
      costDone += estimatedCostMs(scenario);
    }
    show();
  };
  const onWorkers = (count: number) => {
    workers = count;
    show();
  };
  try {
    show();
    await engine.run({ points, all, isDone, networks, signal: context.signal, onLines, onWorkers });
  } finally {
    progress.done();
  }
}

/** Returns the printed summary of a sweep. */
function summary({ name, out, points, ran, wallSeconds, varied, groups }: SweepDocument): string {
  const cell = (spread: Spread | null, digits = 0) => {
    if (spread === null) return 'never';
    const { min, mean, max } = spread;
    const shown = grouped(mean, digits);
    return min === max ? shown : `${shown} (${grouped(min, digits)} to ${grouped(max, digits)})`;
  };
  const table = columnTable(
    [
      varied.join(', ') || 'scenario',
      'seeds',
      'live',
      'reached',
      'ms',
      'p99 ms',
      'slowest ms',
      'messages',
      'bytes',
      'checks',
    ],
    groups.map((group) => [
      varied.map((field) => variedText(group.scenario, field)).join(', ') || 'as given',
      grouped(group.seeds),
      cell(group.live),
      cell(group.reached),
      cell(group.timeToThresholdMs, 1),
      cell(group.p99Ms, 1),
      cell(group.slowestMs, 1),
      cell(group.messagesSent, 1),
      cell(group.bytesSent),
      cell(group.checked, 1),
    ]),
  );
  const taken = ran === points ? '' : `, ${grouped(points - ran)} were there`;
  return [
    wrapped(
      `${name}: ${counted(points, 'point')} in ${out} (${grouped(ran)} run now in ${grouped(wallSeconds, 1)} s${taken})\n`,
    ),
    table,
    wrapped(
      'Each figure is the mean over seeds (minimum to maximum over seeds). The columns ms, p99 ms and slowest ms are the mean, 99th percentile and maximum over the nodes that reached the threshold. The columns messages, bytes and checks are means over live nodes; only sent messages and bytes are counted.\n',
    ),
  ].join('\n');
}

export function sweepCommand(context: Context): Command {
  const command = new Command('sweep').description(
    'Simulate every point of a sweep file on all cores. A second run resumes the first.',
  );
  return withSweepFlags(command)
    .addOption(jobsOption())
    .action((file: string, options: SweepOptions & { readonly jobs?: number }) => {
      const { jobs = availableParallelism() } = options;
      return sweepFile(file, options, localEngine(jobs), command, context);
    });
}
