import { parentPort } from 'node:worker_threads';
import { registerParentNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import type { ThreadReply } from './threadPool.ts';

/**
 * Answers the tasks of a thread pool in this thread, which first loads all networks and those of the pool.
 *
 * @param describe returns the name of a task for the error that reports its failure.
 */
export async function answerTasks<Task>(
  perform: (task: Task) => unknown,
  describe: (task: Task) => string,
): Promise<void> {
  await loadAllNetworks();
  registerParentNetworks();
  const reply = (task: Task): ThreadReply<unknown> => {
    try {
      return { answer: perform(task) };
    } catch (error) {
      const { message, stack } = error as Error;
      return { failed: `${describe(task)}: ${process.env.TUTTI_DEBUG ? stack : message}` };
    }
  };
  parentPort!.on('message', (task: Task) => parentPort!.postMessage(reply(task)));
}
