import type { TakenNetworks } from '../networkFile.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { describeScenario, type SweepPoint } from './point.ts';

/** Points for a thread, and networks from files that only these points name. */
export interface RunnerTask {
  readonly points: readonly SweepPoint[];
  readonly networks?: TakenNetworks;
}

/** Threads that run points in order, one list at a time each, and answer with their lines for a {@link ResultFile}. */
export class RunnerPool extends ThreadPool<RunnerTask, readonly string[]> {
  /**
   * @param threads maximum number of threads, started as needed. @param networks networks from files that scenarios
   * name.
   */
  constructor(threads: number, networks: TakenNetworks = {}) {
    super(
      threads,
      new URL('./runnerThread.js', import.meta.url),
      ({ points: [first] }) => (first === undefined ? 'no points' : describeScenario(first.scenario)),
      networks,
    );
  }
}
