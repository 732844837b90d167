import { Command, type Context, type Extension, UsageError } from '@tutti/node-cli/command';
import { type SweepEngine, type SweepOptions, sweepFile, withSweepFlags } from '@tutti/node-cli/sweeps';
import { type QueueOptions, withQueueFlags } from './flags.ts';
import { maxJobPlaces } from './queue.ts';
import { workerCommand } from './workerCommand.ts';

const pages = ['README of @tutti/distributed-sweeps', 'guides/sweep'];

/** Examples and pages for the help of each command. */
export const notes: Extension['notes'] = {
  'distributed-sweeps run': {
    examples: ['sweep.json --out results.jsonl', 'sweep.json --out results.parquet --redis redis://192.0.2.1:6379'],
    pages,
  },
  'distributed-sweeps worker': { examples: ['--jobs 2', '--redis redis://192.0.2.1:6379 --queue night'], pages },
};

/** Creates the command that this extension adds to `tutti`. */
export const command: Extension['command'] = (context) =>
  new Command('distributed-sweeps')
    .description('Run the points of a sweep on many machines with a queue in Redis.')
    .addCommand(runCommand(context))
    .addCommand(workerCommand(context));

/** Creates the command `tutti distributed-sweeps run`. */
function runCommand(context: Context): Command {
  const command = new Command('run').description(
    'Put the points of a sweep file into a queue, and collect the results of the workers. A second run resumes the first.',
  );
  return withQueueFlags(withSweepFlags(command)).action((file: string, options: SweepOptions & QueueOptions) => {
    const engine: SweepEngine = {
      name: 'bullmq',
      async run({ all, isDone, networks, signal, onLines, onWorkers }) {
        for (const [name, { places }] of Object.entries(networks))
          if (places.length > maxJobPlaces)
            throw new UsageError(
              `${name}: expected at most ${maxJobPlaces} places for workers on other machines, got ${places.length}; run 'tutti sweep'`,
            );
        // The module is loaded only when the command runs, because loading takes 0.2 s.
        const { runThroughRedis } = await import('./producer.ts');
        const { redis: url, queue: queueName } = options;
        await runThroughRedis({ points: all, networks, isDone, url, queueName, signal, onLines, onWorkers });
      },
    };
    return sweepFile(file, options, engine, command, context);
  });
}
