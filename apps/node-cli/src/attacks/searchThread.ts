import { parentPort } from 'node:worker_threads';
import { searchPatienceMs, type Tried, triedAs } from '@tutti/core/adversary';
import { type Scenario, simulate } from '@tutti/core/simulation';
import type { ThreadReply } from '../threads/threadPool.ts';

/** A plan of an attack, and the run that shows its effect. */
export interface SearchTask {
  readonly plan: string;
  readonly scenario: Scenario;
}

function reply({ plan, scenario }: SearchTask): ThreadReply<Tried> {
  try {
    return { answer: triedAs(plan, simulate(scenario, { giveUpAfterMs: searchPatienceMs })) };
  } catch (error) {
    return { failed: `${plan}: ${error instanceof Error ? error.stack : error}` };
  }
}

parentPort?.on('message', (task: SearchTask) => parentPort?.postMessage(reply(task)));
