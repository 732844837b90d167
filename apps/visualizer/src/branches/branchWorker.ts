import type { Scenario } from '@tutti/core/simulation';
import { type BranchReport, runBranch } from './branch.ts';

export interface BranchRequest {
  readonly scenario: Scenario;
  readonly giveUpAfterMs: number;
}

export type BranchAnswer =
  | { readonly kind: 'done'; readonly report: BranchReport }
  | { readonly kind: 'failed'; readonly message: string };

self.onmessage = ({ data }: MessageEvent<BranchRequest>) => {
  const answer = (message: BranchAnswer) => self.postMessage(message);
  try {
    answer({ kind: 'done', report: runBranch(data.scenario, data.giveUpAfterMs) });
  } catch (error) {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
