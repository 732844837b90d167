import { Command, type Context, UsageError } from '@tutti/node-cli/command';
import { type SweepEngine, type SweepOptions, sweepFile, withSweepFlags } from '@tutti/node-cli/sweeps';
import { type QueueOptions, withQueueFlags } from './flags.ts';
import { maxJobPlaces } from './queue.ts';

/** Creates the command `tutti distributed-sweeps run`. */
export function runCommand(context: Context): Command {
  const command = new Command('run').description(
    'Put the points of a sweep file into a queue, and collect the results of the workers. A second run resumes the first.',
  );
  return withQueueFlags(withSweepFlags(command)).action((file: string, options: SweepOptions & QueueOptions) => {
    const engine: SweepEngine = {
      name: 'bullmq',
      async run({ all, isDone, networks, signal, onLines, onWorkers }) {
        for (const [file, { places }] of Object.entries(networks))
          if (places.length > maxJobPlaces)
            throw new UsageError(
              `${file}: expected at most ${maxJobPlaces} places for workers on other machines, got ${places.length}; run 'tutti sweep'`,
            );
        // The module is loaded here, because that takes a fifth of a second.
        const { runThroughRedis } = await import('./producer.ts');
        const { redis: url, queue: queueName } = options;
        await runThroughRedis({ points: all, networks, isDone, url, queueName, signal, onLines, onWorkers });
      },
    };
    return sweepFile(file, options, engine, command, context);
  });
}
