import type { Broken, SwarmOptions } from '@tutti/simulation/checks';
import { Interrupted } from '../context.ts';
import { takenNetworks } from '../networkFile.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { describeTask, type SwarmAnswer, type SwarmTask } from './swarmThread.ts';

/**
 * Number of seeds that a thread gets at a time: about 0.3 s of work, so that few scenarios run after the first broken
 * claim.
 */
const batch = 8;

interface Swarm {
  readonly from: number;
  readonly seeds: number;
  readonly jobs: number;
  readonly options: SwarmOptions;
  readonly signal: AbortSignal;
  /** Called with the number of further completed seeds. */
  readonly onDone: (seeds: number) => void;
  /** Called with the broken scenario before it is shrunk. */
  readonly onFound: (broken: Broken) => void;
}

export interface Found {
  readonly broken: Broken;
  readonly smallest: Broken;
}

/**
 * Runs the scenarios of consecutive seeds on this machine's cores until one breaks a claim, and shrinks that scenario.
 * It is the lowest such seed for any number of jobs: seeds start in order, and all that started before it are
 * completed.
 *
 * @throws WorldError `run-failed`; Interrupted.
 */
export function runSwarm({ from, seeds, jobs, options, signal, onDone, onFound }: Swarm): Promise<Found | undefined> {
  return withPool(jobs, options.network, signal, async (pool) => {
    const end = from + seeds;
    let next = from;
    const found: Broken[] = [];
    const takeTurns = async () => {
      while (next < end && found.length === 0) {
        const count = Math.min(batch, end - next);
        const task: SwarmTask = { kind: 'hunt', from: next, count, options };
        next += count;
        const broken = await pool.run(task);
        onDone(count);
        if (broken !== undefined) found.push(broken);
      }
    };
    await Promise.all(Array.from({ length: jobs }, takeTurns));
    const [lowest] = found.toSorted((a, b) => a.seed - b.seed);
    return shrunk(pool, lowest, onFound);
  });
}

/** Runs one scenario, and shrinks it if it breaks a claim. */
export function runOne(scenario: Broken['scenario'], signal: AbortSignal): Promise<Found | undefined> {
  return withPool(1, scenario.network, signal, async (pool) =>
    shrunk(pool, await pool.run({ kind: 'try', scenario }), () => {}),
  );
}

type Pool = ThreadPool<SwarmTask, SwarmAnswer>;

async function shrunk(pool: Pool, broken: SwarmAnswer, onFound: (broken: Broken) => void): Promise<Found | undefined> {
  if (broken === undefined) return undefined;
  onFound(broken);
  return { broken, smallest: (await pool.run({ kind: 'shrink', broken })) ?? broken };
}

async function withPool<T>(
  jobs: number,
  network: string | undefined,
  signal: AbortSignal,
  use: (pool: Pool) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new Interrupted();
  const pool: Pool = new ThreadPool(
    jobs,
    new URL('./swarmThread.js', import.meta.url),
    describeTask,
    takenNetworks([network ?? '']),
  );
  const onAbort = () => void pool.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await use(pool);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await pool.close();
  }
}
