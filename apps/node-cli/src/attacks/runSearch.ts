import { AttackSearch, type AttackSearchOptions, type Tried } from '@tutti/simulation/checks';
import { ThreadPool } from '../threads/threadPool.ts';
import { Interrupted } from '../usageError.ts';
import type { SearchTask } from './searchThread.ts';

/**
 * This many plans are proposed before the search learns from any of them, whatever the number of jobs, so that the
 * search is always the same.
 */
const generation = 8;

export interface SearchRequest extends AttackSearchOptions {
  /** The search ends with the first generation that brings it to this many plans, */
  readonly tries: number;
  /** or that ends so late. */
  readonly minutes: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onLearnt: (search: AttackSearch) => void;
}

/** Searches on this machine's cores. @throws WorldError `run-failed`; Interrupted. */
export async function runSearch({
  tries,
  minutes,
  jobs,
  signal,
  onLearnt,
  ...options
}: SearchRequest): Promise<AttackSearch> {
  const endMs = performance.now() + minutes * 60_000;
  const search = new AttackSearch(options);
  if (signal.aborted) throw new Interrupted();
  const script = new URL('./searchThread.js', import.meta.url);
  const pool = new ThreadPool<SearchTask, Tried>(jobs, script, ({ trial }) => trial.plan);
  const onAbort = () => void pool.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (search.tried < tries && performance.now() < endMs) {
      const trials = search.propose(Math.min(generation, tries - search.tried));
      search.learn(await Promise.all(trials.map((trial) => pool.run({ trial, scenario: search.scenario(trial) }))));
      onLearnt(search);
    }
    return search;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await pool.close();
  }
}
