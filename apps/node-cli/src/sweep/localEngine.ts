import { inlineMore } from '../inlineMore.ts';
import type { TakenNetwork } from '../networkFile.ts';
import { Interrupted } from '../usageError.ts';
import { batches } from './cost.ts';
import type { SweepPoint } from './point.ts';
import { RunnerPool } from './runnerPool.ts';

/** Target time of a batch, ms. Passing it to a thread and its lines to the file takes about 0.6 ms. */
const batchMs = 60;

export interface LocalSweep {
  readonly points: readonly SweepPoint[];
  readonly jobs: number;
  /** Networks from files that scenarios name. */
  readonly networks?: Readonly<Record<string, TakenNetwork>>;
  readonly signal: AbortSignal;
  /** Called with the lines of finished points. */
  readonly onLines: (lines: readonly string[]) => void;
}

/**
 * Runs points on this machine's cores, the longest runs first. A free thread takes the next batch.
 *
 * @throws WorldError `run-failed`; Interrupted. Points that finished before have been reported.
 */
export async function runLocally({ points, jobs, networks, signal, onLines }: LocalSweep): Promise<void> {
  inlineMore(points.reduce((sum, { scenario }) => sum + scenario.nodes, 0));
  const pool = new RunnerPool(jobs, networks);
  const onAbort = () => void pool.close();
  signal.addEventListener('abort', onAbort, { once: true });
  const todo = batches(points, batchMs).values();
  const takeTurns = async () => {
    for (const batch of todo) {
      if (signal.aborted) throw new Interrupted();
      onLines(await pool.run({ points: batch.points }));
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, takeTurns));
  } finally {
    signal.removeEventListener('abort', onAbort);
    await pool.close();
  }
}
