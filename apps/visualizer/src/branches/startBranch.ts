import type { BranchReport } from './branch.ts';
import type { BranchAnswer, BranchRequest } from './branchWorker.ts';

/** Runs a branch in a worker of its own. */
export function startBranch(request: BranchRequest): { readonly report: Promise<BranchReport>; stop(): void } {
  const worker = new Worker(new URL('./branchWorker.ts', import.meta.url), { type: 'module', name: 'tutti-branch' });
  const report = new Promise<BranchReport>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<BranchAnswer>) =>
      data.kind === 'done' ? resolve(data.report) : reject(new Error(data.message));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be loaded'));
    worker.postMessage(request);
  });
  return { report: report.finally(() => worker.terminate()), stop: () => worker.terminate() };
}
