import { type Scenario, simulate } from '@tutti/simulation';
import { searchPatienceMs, type Trial, triedAs } from '@tutti/simulation/checks';
import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { answerTasks } from '../threads/threadPool.ts';

/** An attack to try, and the run that shows its effect. */
export interface SearchTask {
  readonly trial: Trial;
  readonly scenario: Scenario;
}

await loadAllNetworks();
takeThreadNetworks();

answerTasks(
  ({ trial, scenario }: SearchTask) => triedAs(trial, simulate(scenario, { giveUpAfterMs: searchPatienceMs })),
  ({ trial }) => trial.plan,
);
