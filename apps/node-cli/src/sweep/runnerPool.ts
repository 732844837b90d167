import { ThreadPool } from '../threads/threadPool.ts';
import { describeScenario, type SweepPoint } from './point.ts';

/**
 * Threads that run points in their order, one list each at a time, and answer with their lines for a {@link
 * ResultFile}.
 */
export class RunnerPool extends ThreadPool<readonly SweepPoint[], readonly string[]> {
  /** @param threads at most this many, started as needed. */
  constructor(threads: number) {
    super(threads, new URL('./runnerThread.js', import.meta.url), ([first]) =>
      first === undefined ? 'no points' : describeScenario(first.scenario),
    );
  }
}
