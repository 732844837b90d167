import type { Scenario } from '@tutti/simulation';
import type { FinishedRun, RunProgress, RunRequest } from './messages.ts';
import { type Task, task } from './task.ts';

/** Starts one run in a separate worker. */
export function startRun(
  scenario: Scenario,
  options: Omit<RunRequest, 'scenario'> & { readonly progress?: (progress: RunProgress) => void } = {},
): Task<FinishedRun> {
  const { progress, ...rest } = options;
  return task<RunRequest, FinishedRun, RunProgress>(
    new Worker(new URL('./simulationWorker.ts', import.meta.url), { type: 'module', name: 'tutti-run' }),
    'The simulation',
    { scenario, ...rest },
    progress && { progress },
  );
}
