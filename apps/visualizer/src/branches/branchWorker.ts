import { answerTasks } from '../worker/answerTasks.ts';
import { type BranchReport, type BranchRequest, runBranch } from './branch.ts';

answerTasks<BranchRequest, BranchReport>(({ scenario, giveUpAfterMs }) => runBranch(scenario, giveUpAfterMs));
