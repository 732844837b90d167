import { parentPort } from 'node:worker_threads';
import type { Scenario } from '@tutti/simulation';
import { type Broken, hunt, type SwarmOptions, shrinkBroken, tryScenario } from '@tutti/simulation/checks';
import { takeThreadNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import type { ThreadReply } from '../threads/threadPool.ts';

await loadAllNetworks();

/** Task for a thread of the swarm. */
export type SwarmTask =
  /** Task that runs the scenarios of consecutive seeds, up to the first seed that violates a claim. */
  | { readonly kind: 'hunt'; readonly from: number; readonly count: number; readonly options: SwarmOptions }
  /** Task that runs a given scenario. */
  | { readonly kind: 'try'; readonly scenario: Scenario }
  /** Task that shrinks a scenario that violates a claim. */
  | { readonly kind: 'shrink'; readonly broken: Broken };

/** Scenario that violates a claim, if any. */
export type SwarmAnswer = Broken | undefined;

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

export function describeTask(task: SwarmTask): string {
  if (task.kind === 'hunt') return `seeds ${task.from} to ${task.from + task.count - 1}`;
  return `seed ${task.kind === 'try' ? task.scenario.seed : task.broken.seed}`;
}

parentPort?.on('message', (task: SwarmTask) => parentPort?.postMessage(reply(task)));
