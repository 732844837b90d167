import { type Task, task } from '../worker/task.ts';
import type { BranchReport, BranchRequest } from './branch.ts';

/** Runs a branch in a worker of its own. */
export function startBranch(request: BranchRequest): Task<BranchReport> {
  const worker = new Worker(new URL('./branchWorker.ts', import.meta.url), { type: 'module', name: 'tutti-branch' });
  return task<BranchRequest, BranchReport>(worker, 'The branch', request);
}
