import type { Context } from '../context.ts';
import { Progress } from '../output/progress.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { Interrupted } from '../usageError.ts';
import { type NetworkRow, type NetworkTask, networkRow } from './networkRow.ts';

/**
 * Plays slots, as many at a time as there are jobs, each in a thread of its own; one job plays them here, one after another.
 *
 * @throws WorldError `run-failed`; Interrupted.
 */
export async function playNetwork(
  tasks: readonly NetworkTask[],
  jobs: number,
  context: Context,
): Promise<NetworkRow[]> {
  const progress = new Progress(context);
  let done = 0;
  const say = (): void => progress.update(() => `${done} of ${tasks.length} slots are played`);
  if (context.signal.aborted) throw new Interrupted();
  try {
    if (jobs === 1) {
      const rows: NetworkRow[] = [];
      for (const task of tasks) {
        say();
        await new Promise(setImmediate);
        if (context.signal.aborted) throw new Interrupted();
        rows.push(networkRow(task));
        done++;
      }
      return rows;
    }
    return await inThreads(tasks, jobs, context, () => {
      done++;
      say();
    });
  } finally {
    progress.done();
  }
}

async function inThreads(
  tasks: readonly NetworkTask[],
  jobs: number,
  { signal }: Context,
  onDone: () => void,
): Promise<NetworkRow[]> {
  const script = new URL('./networkThread.js', import.meta.url);
  const pool = new ThreadPool<NetworkTask, NetworkRow>(jobs, script, ({ scenario }) => scenario.system);
  const onAbort = () => void pool.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.all(
      tasks.map(async (task) => {
        const row = await pool.run(task);
        onDone();
        return row;
      }),
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
    await pool.close();
  }
}
