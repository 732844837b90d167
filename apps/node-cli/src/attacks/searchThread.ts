import { parentPort } from 'node:worker_threads';
import { type Scenario, simulate } from '@tutti/simulation';
import { searchPatienceMs, type Trial, type Tried, triedAs } from '@tutti/simulation/checks';
import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import type { ThreadReply } from '../threads/threadPool.ts';

/** An attack to try, and the run that shows its effect. */
export interface SearchTask {
  readonly trial: Trial;
  readonly scenario: Scenario;
}

await loadAllNetworks();
takeThreadNetworks();

function reply({ trial, scenario }: SearchTask): ThreadReply<Tried> {
  try {
    return { answer: triedAs(trial, simulate(scenario, { giveUpAfterMs: searchPatienceMs })) };
  } catch (error) {
    return { failed: `${trial.plan}: ${error instanceof Error ? error.stack : error}` };
  }
}

parentPort?.on('message', (task: SearchTask) => parentPort?.postMessage(reply(task)));
