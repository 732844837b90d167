import { loadNetwork, QueueReplay } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';
import type { TracedRun } from './codeLines.ts';
import type { CodeRequest } from './codePanel.ts';
import type { FoundQueue, QueueRequest } from './queueFinder.ts';
import { tracedRun } from './tracedRun.ts';

/**
 * Replay for the last queue request's scenario and node. A request for a later moment continues the replay's
 * simulation.
 */
let replay: { readonly key: string; readonly queue: QueueReplay } | undefined;

answerTasks<QueueRequest | CodeRequest, FoundQueue | TracedRun>(async (request) => {
  const { scenario, node } = request;
  await loadNetwork(scenario.network);
  if (!('timeUs' in request)) return tracedRun(scenario, node);
  const key = JSON.stringify([scenario, node]);
  if (replay?.key !== key) replay = { key, queue: new QueueReplay(scenario, node) };
  return { digest: replay.queue.digest, queue: replay.queue.at(request.timeUs) };
});
