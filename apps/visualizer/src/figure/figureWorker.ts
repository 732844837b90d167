import { type RunResult, type Scenario, simulate } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';

/** Scenarios for the worker to simulate one after another. */
export interface SweepRequest {
  readonly scenarios: readonly Scenario[];
}

/** Answers with the results of all runs in order, and reports the number of finished runs during the simulation. */
answerTasks<SweepRequest, readonly RunResult[], number>(({ scenarios }, progress) =>
  scenarios.map((scenario, place) => {
    const result = simulate(scenario);
    progress(place + 1);
    return result;
  }),
);
