import { hunt, shrinkBroken, tryScenario } from '@tutti/simulation/checks';
import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { answerTasks } from '../threads/threadPool.ts';
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

answerTasks(perform, describeTask);
