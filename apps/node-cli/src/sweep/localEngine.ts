import type { ReadNetworks } from '../networkFile.ts';
import { inlineMore } from '../simulatedRun.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { batches } from './cost.ts';
import type { EngineTask, SweepEngine } from './engine.ts';
import { describeScenario, type SweepPoint } from './point.ts';

/** Target run time of a batch, ms. Passing a batch to a thread, and its lines to the file, takes about 0.6 ms. */
const batchMs = 60;

interface LocalSweep extends Pick<EngineTask, 'points' | 'networks' | 'signal' | 'onLines'> {
  /** Number of threads. */
  readonly jobs: number;
}

/** Returns the engine that runs points on this machine. */
export function localEngine(jobs: number): SweepEngine {
  return { name: 'local', run: (task) => runLocally({ ...task, jobs }) };
}

/**
 * Runs points on this machine's cores, the longest runs first. A free thread takes the next batch of points.
 *
 * @throws EnvironmentError `run-failed`; Interrupted. Points finished before the error have already been reported.
 */
export async function runLocally({ points, jobs, networks, signal, onLines }: LocalSweep): Promise<void> {
  inlineMore(points.reduce((sum, { scenario }) => sum + scenario.nodes, 0));
  const pool = new RunnerPool(jobs, networks);
  const todo = batches(points, batchMs).values();
  const runBatches = async () => {
    for (const batch of todo) onLines(await pool.run({ points: batch.points }));
  };
  await pool.during(signal, () => Promise.all(Array.from({ length: jobs }, runBatches)));
}

/** Points for a thread, and the networks from files that only these points name. */
export interface RunnerTask {
  readonly points: readonly SweepPoint[];
  readonly networks?: ReadNetworks;
}

/** Threads that run lists of points in order. The answer contains the points' lines for a {@link ResultFile}. */
export class RunnerPool extends ThreadPool<RunnerTask, readonly string[]> {
  /**
   * Creates the pool.
   *
   * @param threads maximum number of threads.
   * @param networks networks from files that scenarios of any task may name.
   */
  constructor(threads: number, networks: ReadNetworks = {}) {
    super(
      threads,
      new URL('./runnerThread.js', import.meta.url),
      ({ points: [first] }) => (first === undefined ? 'no points' : describeScenario(first.scenario)),
      networks,
    );
  }
}
