import type { TakenNetwork } from '../networkFile.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { describeScenario, type SweepPoint } from './point.ts';

/**
 * Threads that run points in their order, one list each at a time, and answer with their lines for a {@link
 * ResultFile}.
 */
export class RunnerPool extends ThreadPool<readonly SweepPoint[], readonly string[]> {
  /** @param threads at most this many, started as needed. @param networks of files that scenarios name. */
  constructor(threads: number, networks: Readonly<Record<string, TakenNetwork>> = {}) {
    super(
      threads,
      new URL('./runnerThread.js', import.meta.url),
      ([first]) => (first === undefined ? 'no points' : describeScenario(first.scenario)),
      networks,
    );
  }
}
