import { hunt, shrinkBroken, tryScenario } from '@tutti/simulation/checks';
import { answerTasks } from '../threads/answerTasks.ts';
import { describeTask, type SwarmAnswer, type SwarmTask } from './runSwarm.ts';

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

await answerTasks(perform, describeTask);
