import { breathe, type Context } from '../context.ts';
import { Counter } from '../output/progress.ts';

/**
 * Runs each case with each seed in this thread, and shows the number of completed runs.
 *
 * @param unit plural of the runs in the progress line.
 * @returns the results of each case, one per seed.
 * @throws Interrupted; errors of `run`.
 */
export async function runBySeed<Case, Result>(
  cases: readonly Case[],
  seeds: readonly number[],
  run: (of: Case, seed: number) => Result | Promise<Result>,
  unit: string,
  context: Context,
): Promise<Result[][]> {
  const counter = new Counter(context, 'running', cases.length * seeds.length, unit);
  try {
    const groups: Result[][] = [];
    for (const of of cases) {
      const group: Result[] = [];
      for (const seed of seeds) {
        await breathe(context);
        group.push(await run(of, seed));
        counter.step();
      }
      groups.push(group);
    }
    return groups;
  } finally {
    counter.done();
  }
}

/** Returns one group per row from the rows of each run; all runs have the same number of rows. */
export function rowsOfRuns<Row>(runs: readonly (readonly Row[])[]): Row[][] {
  return runs[0]!.map((_, at) => runs.map((rows) => rows[at]!));
}
