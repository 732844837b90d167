import { type Scenario, simulate } from '@tutti/simulation';
import { searchPatienceMs, type Trial, type Tried, triedAs } from '@tutti/simulation/checks';
import { answerTasks } from '../threads/answerTasks.ts';

/** An attack to try, and the run that shows its effect. */
export interface SearchTask {
  readonly trial: Trial;
  readonly scenario: Scenario;
}

function perform({ trial, scenario }: SearchTask): Tried {
  return triedAs(trial, simulate(scenario, { giveUpAfterMs: searchPatienceMs }));
}

await answerTasks(perform, ({ trial }) => trial.plan);
