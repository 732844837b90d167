import { loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';
import { type BranchReport, type BranchRequest, runBranch } from './branch.ts';

answerTasks<BranchRequest, BranchReport>(async ({ scenario, edited, giveUpAfterMs }) => {
  await loadNetwork(scenario.network);
  return runBranch(scenario, giveUpAfterMs, edited);
});
