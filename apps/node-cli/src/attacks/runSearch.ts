import { Interrupted } from '../context.ts';
import type { TakenNetwork } from '../networkFile.ts';
import type { Work } from '../output/progress.ts';
import { ThreadPool } from '../threads/threadPool.ts';

/**
 * Number of plans that the search proposes before it learns from any of them. The number does not depend on the number
 * of jobs, so that the search is always the same.
 */
const generation = 8;

/** A search that proposes trials and learns from their results. */
interface Search<Trial, Tried> {
  readonly tried: number;
  propose(count: number): readonly Trial[];
  learn(results: readonly Tried[]): void;
}

interface SearchRequest<Trial, Tried, Task> {
  readonly search: Search<Trial, Tried>;
  /**
   * Script that answers a task in its own thread, and the function that returns a trial's task and its displayed name.
   */
  readonly script: URL;
  readonly taskOf: (trial: Trial) => Task;
  readonly describe: (task: Task) => string;
  /** Networks from files that tasks name. */
  readonly networks: Readonly<Record<string, TakenNetwork>>;
  /** Maximum number of plans. */
  readonly tries: number;
  /** Time after which the search ends, minutes. The current generation is completed first. */
  readonly minutes: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Called with the progress: the completed share of the tries or of the minutes, whichever is larger. */
  readonly onLearnt: (work: Work) => void;
}

/**
 * Runs a search on this machine's cores.
 *
 * @throws WorldError `run-failed`; Interrupted.
 */
export async function runSearch<Trial, Tried, Task>(request: SearchRequest<Trial, Tried, Task>): Promise<void> {
  const { search, script, taskOf, describe, networks, tries, minutes, jobs, signal, onLearnt } = request;
  const startedMs = performance.now();
  const spent = (): number => (performance.now() - startedMs) / (60_000 * minutes);
  if (signal.aborted) throw new Interrupted();
  const pool = new ThreadPool<Task, Tried>(jobs, script, describe, networks);
  const onAbort = () => void pool.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (search.tried < tries && spent() < 1) {
      const trials = search.propose(Math.min(generation, tries - search.tried));
      if (trials.length === 0) return;
      search.learn(await Promise.all(trials.map((trial) => pool.run(taskOf(trial)))));
      const done = Math.min(1, Math.max(search.tried / tries, spent()));
      onLearnt({ done, left: 1 - done });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await pool.close();
  }
}
