import { parentPort } from 'node:worker_threads';
import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import type { ThreadReply } from '../threads/threadPool.ts';
import { type NetworkRow, type NetworkTask, networkRow } from './networkRow.ts';

await loadAllNetworks();

takeThreadNetworks();

function reply(task: NetworkTask): ThreadReply<NetworkRow> {
  try {
    return { answer: networkRow(task) };
  } catch (error) {
    return { failed: `${task.scenario.system}: ${error instanceof Error ? error.stack : error}` };
  }
}

parentPort?.on('message', (task: NetworkTask) => parentPort?.postMessage(reply(task)));
