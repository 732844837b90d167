import { type RunResult, type Scenario, simulate } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';

/** Simulates scenarios one after another, and reports the number of finished runs. Returns the results in order. */
answerTasks<readonly Scenario[], readonly RunResult[], number>((scenarios, progress) =>
  scenarios.map((scenario, place) => {
    const result = simulate(scenario);
    progress(place + 1);
    return result;
  }),
);
