import type { Work } from '../output/progress.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { Interrupted } from '../usageError.ts';

/**
 * This many plans are proposed before the search learns from any of them, whatever the number of jobs, so that the
 * search is always the same.
 */
const generation = 8;

/** Proposes trials, and is told what came of them. */
interface Search<Trial, Tried> {
  readonly tried: number;
  propose(count: number): readonly Trial[];
  learn(results: readonly Tried[]): void;
}

interface SearchRequest<Trial, Tried, Task> {
  readonly search: Search<Trial, Tried>;
  /** What answers a task in a thread of its own; and the task of a trial, with a name for people. */
  readonly script: URL;
  readonly taskOf: (trial: Trial) => Task;
  readonly describe: (task: Task) => string;
  /** The search ends with the first generation that brings it to this many plans, */
  readonly tries: number;
  /** or that ends so late. */
  readonly minutes: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** @param work how much of the tries or of the minutes is done, whichever is more. */
  readonly onLearnt: (work: Work) => void;
}

/** Searches on this machine's cores. @throws WorldError `run-failed`; Interrupted. */
export async function runSearch<Trial, Tried, Task>(request: SearchRequest<Trial, Tried, Task>): Promise<void> {
  const { search, script, taskOf, describe, tries, minutes, jobs, signal, onLearnt } = request;
  const startedMs = performance.now();
  const spent = (): number => (performance.now() - startedMs) / (60_000 * minutes);
  if (signal.aborted) throw new Interrupted();
  const pool = new ThreadPool<Task, Tried>(jobs, script, describe);
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
