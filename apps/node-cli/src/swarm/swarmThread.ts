import { parentPort } from 'node:worker_threads';
import { hunt, shrinkBroken, tryScenario } from '@tutti/simulation/checks';
import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import type { ThreadReply } from '../threads/threadPool.ts';
import { describeTask, type SwarmAnswer, type SwarmTask } from './runSwarm.ts';

await loadAllNetworks();

takeThreadNetworks();

function perform(task: SwarmTask): SwarmAnswer {
  switch (task.kind) {
    case 'hunt':
      return hunt(task.from, task.count, task.options);
    case 'try':
      return tryScenario(task.scenario);
    case 'shrink':
      return shrinkBroken(task.broken);
  }
}

function reply(task: SwarmTask): ThreadReply<SwarmAnswer> {
  try {
    return { answer: perform(task) };
  } catch (error) {
    return { failed: `${describeTask(task)}: ${error instanceof Error ? error.stack : error}` };
  }
}

parentPort?.on('message', (task: SwarmTask) => parentPort?.postMessage(reply(task)));
