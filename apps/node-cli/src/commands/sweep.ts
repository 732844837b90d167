import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { jobsOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { runLocally } from '../sweep/localEngine.ts';
import { type SweepOptions, sweepFile, withSweepFlags } from '../sweepFile.ts';

export function sweepCommand(context: Context): Command {
  const command = new Command('sweep').description(
    'Simulate every point of a sweep file on all cores. A second run resumes the first.',
  );
  return withSweepFlags(command)
    .addOption(jobsOption())
    .action((file: string, options: SweepOptions & { readonly jobs?: number }) => {
      const { jobs = availableParallelism() } = options;
      return sweepFile(
        file,
        options,
        { name: 'local', run: (task) => runLocally({ ...task, jobs }) },
        command,
        context,
      );
    });
}
