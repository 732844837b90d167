import { loadNetwork, simulate } from '@tutti/simulation';
import { nodesWith } from '../rules/editedRules.ts';
import { answerTasks } from '../worker/task.ts';
import type { RunRequest } from './seedStrip.ts';

/** Answers with the time of a run's last node, ms; undefined if some nodes never finish. */
answerTasks<RunRequest, number | undefined>(async ({ scenario, edited, giveUpAfterMs }) => {
  await loadNetwork(scenario.network);
  const { reached, live, timeToThresholdMs } = simulate(
    { ...scenario, scheme: 'counting' },
    { giveUpAfterMs, ...nodesWith(edited) },
  );
  return reached === live ? timeToThresholdMs.max : undefined;
});
