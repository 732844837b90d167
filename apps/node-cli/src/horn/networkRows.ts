import { breathe, type Context, Interrupted } from '../context.ts';
import { takenNetworks } from '../networkFile.ts';
import { Counter } from '../output/progress.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { type NetworkRow, type NetworkTask, networkRow } from './networkRow.ts';

/**
 * Simulates slots, up to `jobs` at a time, each in its own thread. With one job, they run in this thread, one after
 * another.
 *
 * @param counter counts the slots; the caller ends it.
 * @throws WorldError `run-failed`; Interrupted.
 */
export async function networkRows(
  tasks: readonly NetworkTask[],
  jobs: number,
  context: Context,
  counter?: Counter,
): Promise<NetworkRow[]> {
  if (context.signal.aborted) throw new Interrupted();
  const counted = counter ?? new Counter(context, 'running', tasks.length, 'slots');
  try {
    if (jobs === 1) {
      const rows: NetworkRow[] = [];
      for (const task of tasks) {
        await breathe(context);
        rows.push(networkRow(task));
        counted.step();
      }
      return rows;
    }
    return await inThreads(tasks, jobs, context, () => counted.step());
  } finally {
    if (counter === undefined) counted.done();
  }
}

async function inThreads(
  tasks: readonly NetworkTask[],
  jobs: number,
  { signal }: Context,
  onDone: () => void,
): Promise<NetworkRow[]> {
  const script = new URL('./networkThread.js', import.meta.url);
  const pool = new ThreadPool<NetworkTask, NetworkRow>(
    jobs,
    script,
    ({ scenario }) => scenario.system,
    takenNetworks(tasks.map(({ scenario }) => scenario.network)),
  );
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
