import { loadNetwork, simulate } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';
import type { SeedRequest } from './seedStrip.ts';

/** When the last node of each seed's run was done, ms; undefined where some never were. */
answerTasks<SeedRequest, readonly (number | undefined)[]>(async ({ scenario, seeds }) => {
  await loadNetwork(scenario.network);
  return seeds.map((seed) => {
    const { reached, live, timeToThresholdMs } = simulate(
      { ...scenario, scheme: 'counting', seed },
      { giveUpAfterMs: 4000 },
    );
    return reached === live ? timeToThresholdMs.max : undefined;
  });
});
