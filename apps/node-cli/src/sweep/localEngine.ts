import type { TakenNetwork, TakenNetworks } from '../networkFile.ts';
import { inlineMore } from '../simulatedRun.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { batches } from './cost.ts';
import { describeScenario, type SweepPoint } from './point.ts';

/** Target run time of a batch, ms. Passing a batch to a thread, and its lines to the file, takes about 0.6 ms. */
const batchMs = 60;

interface LocalSweep {
  readonly points: readonly SweepPoint[];
  readonly jobs: number;
  /** Networks from files that are named in scenarios. */
  readonly networks?: Readonly<Record<string, TakenNetwork>>;
  readonly signal: AbortSignal;
  /** Called with the lines of finished points. */
  readonly onLines: (lines: readonly string[]) => void;
}

/**
 * Runs points on this machine's cores, the longest runs first. A free thread takes the next batch of points.
 *
 * @throws WorldError `run-failed`; Interrupted. Points finished before the error have already been reported.
 */
export async function runLocally({ points, jobs, networks, signal, onLines }: LocalSweep): Promise<void> {
  inlineMore(points.reduce((sum, { scenario }) => sum + scenario.nodes, 0));
  const pool = new RunnerPool(jobs, networks);
  const todo = batches(points, batchMs).values();
  const takeTurns = async () => {
    for (const batch of todo) onLines(await pool.run({ points: batch.points }));
  };
  await pool.during(signal, () => Promise.all(Array.from({ length: jobs }, takeTurns)));
}

/** Points for a thread, and the networks from files that are named in these points only. */
export interface RunnerTask {
  readonly points: readonly SweepPoint[];
  readonly networks?: TakenNetworks;
}

/**
 * Threads that run points in order, one list at a time per thread, and answer with the points' lines for a
 * {@link ResultFile}.
 */
export class RunnerPool extends ThreadPool<RunnerTask, readonly string[]> {
  /**
   * @param threads maximum number of threads; threads are started as needed. @param networks networks from files that
   * are named in scenarios.
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
