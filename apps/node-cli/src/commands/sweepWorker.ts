import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import { Command } from 'commander';
import { askedFor } from '../askedFor.ts';
import { jobsOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { counted, grouped } from '../numbers.ts';
import { Progress } from '../output/progress.ts';
import { defaultQueue, defaultRedis, queueFlag, queueLibraries, redisFlag } from '../sweep/redis/flags.ts';
import { shownUrl } from '../sweep/redis/shownUrl.ts';

interface SweepWorkerOptions {
  readonly redis: string;
  readonly queue: string;
  readonly jobs?: number;
  readonly lostAfter: number;
  readonly json?: boolean;
}

export function sweepWorkerCommand(context: Context): Command {
  return new Command('sweep-worker')
    .description('Run points of sweeps that other machines put into a queue, until stopped.')
    .option('--redis <url>', 'where the queue is', redisFlag, defaultRedis)
    .option('--queue <name>', 'the name of the queue', queueFlag, defaultQueue)
    .addOption(jobsOption())
    .option(
      '--lost-after <s>',
      'a worker that is silent for this long counts as lost; the same for all',
      integerFlag('--lost-after', 1, 3600),
      15,
    )
    .option('--json', 'print one JSON document at the end')
    .action(
      async ({ redis: url, queue: queueName, jobs = availableParallelism(), lostAfter, json }: SweepWorkerOptions) => {
        // Loaded here, because it takes a fifth of a second, and no other command should wait for that.
        const { serveQueue } = await askedFor(() => import('../sweep/redis/worker.ts'), 'sweep-worker', queueLibraries);
        const progress = new Progress(context);
        let done = 0;
        try {
          await serveQueue({
            url,
            queueName,
            jobs,
            lostAfterMs: lostAfter * 1000,
            signal: context.signal,
            onReady: () =>
              context.err(
                `serving ${queueName} at ${shownUrl(url)}: version ${version}, ${jobs} at once; Ctrl-C stops\n`,
              ),
            onRefused: (line) => context.err(`${queueName}: ${line}\n`),
            onDone: (points) => {
              done += points;
              progress.update(() => `${counted(done, 'point')} run`);
            },
          });
        } finally {
          progress.done();
        }
        const { user, system } = process.cpuUsage();
        const cpuSeconds = (user + system) / 1e6;
        context.err(
          `${counted(done, 'point')} run in ${grouped(cpuSeconds, 2)} s of CPU time; what was in hand is back in the queue\n`,
        );
        if (json) context.out(`${JSON.stringify({ version, queue: queueName, pointsRun: done, cpuSeconds })}\n`);
      },
    );
}
