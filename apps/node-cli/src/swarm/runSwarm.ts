import type { Scenario } from '@tutti/simulation';
import type { Broken, SwarmOptions } from '@tutti/simulation/checks';
import { readNetworksAmong } from '../networkFile.ts';
import { ThreadPool } from '../threads/threadPool.ts';

/** Task for a thread of the swarm. */
export type SwarmTask =
  /** Task that runs the scenarios of consecutive seeds, up to the first seed that violates a claim. */
  | { readonly kind: 'hunt'; readonly from: number; readonly count: number; readonly options: SwarmOptions }
  /** Task that runs a given scenario. */
  | { readonly kind: 'try'; readonly scenario: Scenario }
  /** Task that shrinks a scenario that violates a claim. */
  | { readonly kind: 'shrink'; readonly broken: Broken };

/** Scenario that violates a claim, if any. */
export type SwarmAnswer = Broken | undefined;

/**
 * Maximum number of seeds per task; a task with this many seeds takes about 0.3 s. With more seeds, more scenarios
 * would run after the first violated claim.
 */
const seedsPerTask = 8;

interface RunSwarmOptions {
  /** First seed. */
  readonly from: number;
  /** Number of seeds. */
  readonly seeds: number;
  readonly jobs: number;
  readonly options: SwarmOptions;
  readonly signal: AbortSignal;
  /** Called after each completed task with the number of seeds in the task. */
  readonly onDone: (seeds: number) => void;
  /** Called with the scenario that violates a claim, before the scenario is shrunk. */
  readonly onFound: (broken: Broken) => void;
}

/** Scenario that violates a claim, and the smallest scenario found that violates the same claim. */
export interface Found {
  readonly broken: Broken;
  readonly smallest: Broken;
}

/**
 * Runs the scenarios of consecutive seeds on this machine's cores until one scenario violates a claim, and shrinks that
 * scenario. The result is the lowest such seed for any number of jobs: seeds start in order, and all seeds started
 * before the failing one are completed.
 *
 * @throws EnvironmentError `run-failed`; Interrupted.
 */
export function runSwarm(swarm: RunSwarmOptions): Promise<Found | undefined> {
  const { from, seeds, jobs, options, signal, onDone, onFound } = swarm;
  return withPool(jobs, options.network, signal, async (pool) => {
    const end = from + seeds;
    let next = from;
    const found: Broken[] = [];
    const runTasks = async () => {
      while (next < end && found.length === 0) {
        const count = Math.min(seedsPerTask, end - next);
        const task: SwarmTask = { kind: 'hunt', from: next, count, options };
        next += count;
        const broken = await pool.run(task);
        onDone(count);
        if (broken !== undefined) found.push(broken);
      }
    };
    await Promise.all(Array.from({ length: jobs }, runTasks));
    const [lowest] = found.toSorted((a, b) => a.seed - b.seed);
    return shrunk(pool, lowest, onFound);
  });
}

/**
 * Runs one scenario, and shrinks the scenario if it violates a claim.
 *
 * @throws EnvironmentError `run-failed`; Interrupted.
 */
export function runOne(scenario: Scenario, signal: AbortSignal): Promise<Found | undefined> {
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

function withPool<T>(
  jobs: number,
  network: string | undefined,
  signal: AbortSignal,
  use: (pool: Pool) => Promise<T>,
): Promise<T> {
  const script = new URL('./swarmThread.js', import.meta.url);
  const pool: Pool = new ThreadPool(
    jobs,
    script,
    describeTask,
    readNetworksAmong(network === undefined ? [] : [network]),
  );
  return pool.during(signal, () => use(pool));
}

/** Returns the name of a task for errors. */
export function describeTask(task: SwarmTask): string {
  if (task.kind === 'hunt') return `seeds ${task.from} to ${task.from + task.count - 1}`;
  return `seed ${task.kind === 'try' ? task.scenario.seed : task.broken.seed}`;
}
