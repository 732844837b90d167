import { loadNetwork, type Scenario } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';
import type { TracedRun } from './codeLines.ts';
import { tracedRun } from './tracedRun.ts';

/** Run whose events of one node are traced. */
export interface CodeRequest {
  readonly scenario: Scenario;
  readonly node: number;
}

answerTasks<CodeRequest, TracedRun>(async ({ scenario, node }) => {
  await loadNetwork(scenario.network);
  return tracedRun(scenario, node);
});
