import { Command, type Extension } from '@tutti/node-cli/command';
import { runCommand } from './runCommand.ts';
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
