import { type RunResult, type Scenario, simulate } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';

export interface SweepRequest {
  readonly scenarios: readonly Scenario[];
}

/** What each run came to, in their order; on the way, how many runs are done. */
answerTasks<SweepRequest, readonly RunResult[], number>(({ scenarios }, progress) =>
  scenarios.map((scenario, place) => {
    const result = simulate(scenario);
    progress(place + 1);
    return result;
  }),
);
