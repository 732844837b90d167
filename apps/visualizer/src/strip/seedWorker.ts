import { loadNetwork, simulate } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';
import type { RunRequest } from './runSeeds.ts';

/** Time of a run's last node, ms; undefined if some nodes never finish. */
answerTasks<RunRequest, number | undefined>(async ({ scenario, giveUpAfterMs }) => {
  await loadNetwork(scenario.network);
  const { reached, live, timeToThresholdMs } = simulate({ ...scenario, scheme: 'counting' }, { giveUpAfterMs });
  return reached === live ? timeToThresholdMs.max : undefined;
});
