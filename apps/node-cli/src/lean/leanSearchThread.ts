import { parentPort } from 'node:worker_threads';
import { type LeanScenario, type LeanTrial, type LeanTried, tryLean } from '@tutti/simulation/lean';
import { takeNetworkFile } from '../networkFile.ts';
import type { ThreadReply } from '../threads/threadPool.ts';
import '../networks.ts';

/** An attack to try, the slot that shows its effect, and how many in a row where the lag is looked at. */
export interface LeanSearchTask {
  readonly trial: LeanTrial;
  readonly scenario: LeanScenario;
  readonly slots: number | undefined;
}

function reply({ trial, scenario, slots }: LeanSearchTask): ThreadReply<LeanTried> {
  try {
    takeNetworkFile(scenario.network);
    return { answer: tryLean(trial, scenario, slots) };
  } catch (error) {
    return { failed: `${JSON.stringify(trial)}: ${error instanceof Error ? error.stack : error}` };
  }
}

parentPort?.on('message', (task: LeanSearchTask) => parentPort?.postMessage(reply(task)));
