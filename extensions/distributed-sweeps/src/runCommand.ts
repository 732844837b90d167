import { Command, type Context, UsageError } from '@tutti/node-cli/command';
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
      async run({ all, isDone, networks, signal, onLines, onWorkers }) {
        const [file] = Object.keys(networks);
        if (file !== undefined)
          throw new UsageError(
            `${file}: expected a named network; workers on other machines have no file, 'tutti sweep' has`,
          );
        // Loaded here, because it takes a fifth of a second.
        const { runThroughRedis } = await import('./producer.ts');
        const { redis: url, queue: queueName } = options;
        await runThroughRedis({ points: all, isDone, url, queueName, signal, onLines, onWorkers });
      },
    };
    return sweepFile(file, options, engine, command, context);
  });
}
