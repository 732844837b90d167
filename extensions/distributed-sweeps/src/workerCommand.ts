import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import {
  Command,
  type Context,
  counted,
  type FlagsOf,
  flag,
  grouped,
  integer,
  jobsFlag,
  oneLine,
  Progress,
  toggle,
  withFlags,
} from '@tutti/node-cli/command';
import { type QueueOptions, withQueueFlags } from './flags.ts';
import { shownUrl } from './shownUrl.ts';

const workerFlags = {
  jobs: jobsFlag,
  lostAfter: flag(
    '<s>',
    'time without a sign of life after which a worker counts as lost; the same for all workers',
    integer(1, 3600),
    15,
  ),
  json: toggle('print one JSON document at the end'),
};

/** Creates the command `tutti distributed-sweeps worker`. */
export function workerCommand(context: Context): Command {
  const command = new Command('worker').description('Run the points of sweeps from a queue until stopped.');
  return withFlags(withQueueFlags(command), workerFlags).action(
    async (options: QueueOptions & FlagsOf<typeof workerFlags>) => {
      const { redis: url, queue: queueName, jobs = availableParallelism(), lostAfter, json } = options;
      // The module is loaded only when the command runs, because loading takes 0.2 s.
      const { serveQueue } = await import('./serveQueue.ts');
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
              `serving ${queueName} at ${shownUrl(url)}: version ${version}, ${counted(jobs, 'parallel job')}; Ctrl-C stops\n`,
            ),
          onRefused: (line) => context.err(`${queueName}: ${oneLine(line)}\n`),
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
        `${counted(done, 'point')} run in ${grouped(cpuSeconds, 2)} s of CPU time; unfinished jobs are back in the queue\n`,
      );
      if (json) context.out(`${JSON.stringify({ version, queue: queueName, pointsRun: done, cpuSeconds })}\n`);
    },
  );
}
