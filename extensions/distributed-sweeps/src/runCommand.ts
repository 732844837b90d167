import { Command, type Context } from '@tutti/node-cli/command';
import { type SweepEngine, type SweepOptions, sweepFile, withSweepFlags } from '@tutti/node-cli/sweeps';
import { type QueueOptions, withQueueFlags } from './flags.ts';

/** Creates the command `tutti distributed-sweeps run`. */
export function runCommand(context: Context): Command {
  const command = new Command('run').description(
    'Put the points of a sweep file into a queue, and collect what workers make of them. A second run resumes the first.',
  );
  return withQueueFlags(withSweepFlags(command)).action((file: string, options: SweepOptions & QueueOptions) => {
    const engine: SweepEngine = {
      name: 'bullmq',
      async run({ all, isDone, signal, onLines, onWorkers }) {
        // Loaded only here, because it takes a fifth of a second.
        const { runThroughRedis } = await import('./producer.ts');
        const { redis: url, queue: queueName } = options;
        await runThroughRedis({ points: all, isDone, url, queueName, signal, onLines, onWorkers });
      },
    };
    return sweepFile(file, options, engine, command, context);
  });
}
