import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import { type ResultTable, resultTable } from '@tutti/lab/results';
import type { Scenario, Spread } from '@tutti/simulation';
import { Command } from 'commander';
import { askedFor } from '../askedFor.ts';
import { commandLine } from '../commandLine.ts';
import { jobsOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';
import { counted, grouped } from '../numbers.ts';
import { requirePlace } from '../output/files.ts';
import { wrapped } from '../output/folded.ts';
import { Progress } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { readRuns } from '../results/readTable.ts';
import { tableForm, writeTable } from '../results/tableFile.ts';
import { estimatedCostMs } from '../sweep/cost.ts';
import { runLocally } from '../sweep/localEngine.ts';
import { Outcome } from '../sweep/outcome.ts';
import { readPlan, type SweepPlan } from '../sweep/plan.ts';
import { variedText } from '../sweep/point.ts';
import { defaultQueue, defaultRedis, queueFlag, queueLibraries, redisFlag } from '../sweep/redis/flags.ts';
import { type SweepGroup, summarize } from '../sweep/summary.ts';
import { Interrupted, UsageError } from '../usageError.ts';

interface SweepOptions {
  readonly out: string;
  readonly engine: 'local' | 'bullmq';
  readonly jobs?: number;
  readonly redis?: string;
  readonly queue?: string;
  readonly json?: boolean;
}

/** What `tutti sweep --json` prints. */
export interface SweepDocument {
  readonly name: string;
  readonly version: string;
  readonly engine: 'local' | 'bullmq';
  readonly out: string;
  readonly points: number;
  /** Points run now; the others were in the output already. */
  readonly ran: number;
  readonly wallSeconds: number;
  /** Of this process with its threads; workers elsewhere have their own. */
  readonly cpuSeconds: number;
  readonly varied: readonly string[];
  readonly groups: readonly SweepGroup[];
}

const engineFlag = choiceFlag('--engine', ['local', 'bullmq']);

export function sweepCommand(context: Context): Command {
  return new Command('sweep')
    .description(
      'Simulate every point of a sweep file, on all cores or on many machines. A second run resumes the first.',
    )
    .argument('<file>', 'the sweep file, JSON')
    .requiredOption(
      '--out <file>',
      'results, one JSON line each; points that it has already are not run again. With .csv or .parquet a table, and the lines in FILE.jsonl',
    )
    .option(
      '--engine <name>',
      'local, or bullmq for the workers of a queue; needs bullmq and ioredis, which npm installs on request',
      engineFlag,
      'local',
    )
    .addOption(jobsOption('local'))
    .option('--redis <url>', `bullmq: where the queue is (default: ${defaultRedis})`, redisFlag)
    .option('--queue <name>', `bullmq: the name of the queue (default: ${defaultQueue})`, queueFlag)
    .option('--json', 'print one JSON document')
    .action(async (file: string, options: SweepOptions, command: Command) => {
      refuseFlagsOfOthers(options);
      const { out } = options;
      const isTable = tableForm(out) !== undefined;
      if (isTable) requirePlace(out, true);
      const plan = readPlan(file);
      const document = await sweep(plan, isTable ? { ...options, out: `${out}.jsonl` } : options, context);
      if (isTable) {
        writeTable(out, sweepTable(document.out, plan), { command: commandLine(command), version });
      }
      context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
    });
}

/** The sweep's own runs, in its order: the file of lines may have others, and has them as they ended. */
function sweepTable(path: string, { points }: SweepPlan): ResultTable {
  const ofKey = new Map(readRuns(path).map((run) => [run.key, run]));
  return resultTable(points.flatMap(({ key }) => ofKey.get(key) ?? []));
}

/** A flag that would do nothing is a misunderstanding. */
function refuseFlagsOfOthers({ engine, jobs, redis, queue }: SweepOptions): void {
  if (engine === 'bullmq' && jobs !== undefined) {
    throw new UsageError('--jobs: expected with --engine local, got --engine bullmq; give it to tutti sweep-worker');
  }
  const flag = redis !== undefined ? '--redis' : queue !== undefined ? '--queue' : undefined;
  if (engine === 'local' && flag !== undefined) {
    throw new UsageError(`${flag}: expected with --engine bullmq, got --engine local`);
  }
}

async function sweep(plan: SweepPlan, options: SweepOptions, context: Context): Promise<SweepDocument> {
  const { engine, out } = options;
  const { signal } = context;
  const startedMs = performance.now();
  // Loaded here, because it takes a fifth of a second, and no other command should wait for that.
  const through =
    engine === 'bullmq'
      ? await askedFor(() => import('../sweep/redis/producer.ts'), '--engine bullmq', queueLibraries)
      : undefined;
  const outcome = new Outcome(plan, out);
  const { tally, doneBefore } = outcome;
  const todo = plan.points.filter(({ key }) => !tally.has(key));
  let costLeft = todo.reduce((sum, { scenario }) => sum + estimatedCostMs(scenario), 0);
  let costDone = 0;
  let workers: number | undefined;

  const progress = new Progress(context);
  const show = () =>
    progress.update(
      () => {
        const done = `sweeping: ${grouped(tally.done)} of ${counted(plan.points.length, 'point')}`;
        if (workers === 0) return `${done}, no worker serves the queue (tutti sweep-worker)`;
        return `${done}${workers === undefined ? '' : `, ${counted(workers, 'worker')}`}`;
      },
      // The first results also waited for threads and workers to start, so the pace is taken from the others.
      costDone === 0 ? undefined : { done: costDone, left: costLeft },
    );
  const onLines = (lines: readonly string[]) => {
    for (const { scenario } of outcome.take(lines)) {
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
    if (todo.length > 0 && engine === 'local') {
      await runLocally({ points: todo, jobs: options.jobs ?? availableParallelism(), signal, onLines });
    } else if (through !== undefined && todo.length > 0) {
      const { redis: url = defaultRedis, queue: queueName = defaultQueue } = options;
      const isDone = (key: string) => tally.has(key);
      await through.runThroughRedis({ points: plan.points, isDone, url, queueName, signal, onLines, onWorkers });
    }
  } catch (error) {
    progress.done();
    if (error instanceof Interrupted) {
      context.err(
        `${out} has ${grouped(tally.done)} of ${counted(plan.points.length, 'point')}; run again, it goes on\n`,
      );
    }
    throw error;
  } finally {
    progress.done();
    outcome.file.close();
  }
  return {
    name: plan.name,
    version,
    engine,
    out,
    points: plan.points.length,
    ran: tally.done - doneBefore,
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    cpuSeconds: cpuSeconds(),
    varied: plan.varied,
    groups: summarize(plan, tally),
  };
}

/** User and system time of this process from its start. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1000) / 1000;
}

/** @internal For the test of its width. */
export function summary({ name, out, points, ran, wallSeconds, varied, groups }: SweepDocument): string {
  const cell = (spread: Spread | null, digits = 0) => {
    if (spread === null) return 'never';
    const { min, mean, max } = spread;
    const shown = grouped(mean, digits);
    return min === max ? shown : `${shown} (${grouped(min, digits)} to ${grouped(max, digits)})`;
  };
  const table = columnTable(
    [varied.join(', ') || 'scenario', 'seeds', 'live', 'reached', 'ms', 'slowest ms', 'messages', 'bytes', 'checks'],
    groups.map((group) => [
      varied.map((field) => variedText(group.scenario, field as keyof Scenario)).join(', ') || 'as given',
      grouped(group.seeds),
      cell(group.live),
      cell(group.reached),
      cell(group.timeToThresholdMs, 1),
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
      'A figure is the mean over the seeds of the mean over the live nodes (least to greatest seed); messages and bytes are sent ones.\n',
    ),
  ].join('\n');
}
