import { type Summary, summaryOf } from '@tutti/ethereum';
import type { Context } from '../context.ts';
import { runEach } from '../output/progress.ts';
import { grouped, type TableColumn } from '../output/text.ts';

/** Result over seeds: a summary in place of each number, and null in place of a value that only some seeds have. */
export type OverSeeds<T> = T extends number
  ? Summary
  : T extends undefined
    ? null | undefined
    : T extends string | boolean | null
      ? T
      : { readonly [K in keyof T]: OverSeeds<T[K]> };

/**
 * Summarises results of several seeds. Texts and Boolean values come from the first seed, or are null if a seed has no
 * value. A list of texts contains the texts of all seeds.
 *
 * @param results results of at least one seed, all with the same structure.
 */
export function overSeeds<T>(results: readonly T[]): OverSeeds<T> {
  return summarised(results) as OverSeeds<T>;
}

/** Returns the result of the first seed, with the named fields summarised over all seeds. */
export function fieldsOverSeeds<T extends object, K extends keyof T>(
  group: readonly T[],
  names: readonly K[],
): Omit<T, K> & OverSeeds<Pick<T, K>> {
  const drawn = group.map((result) => Object.fromEntries(names.map((name) => [name, result[name]])));
  return Object.assign({}, group[0], overSeeds(drawn) as OverSeeds<Pick<T, K>>);
}

/** Returns the results of all groups as rows with the seed; each group has one result per seed. */
export function rowsWithSeeds<T extends object>(
  groups: readonly (readonly T[])[],
  seeds: readonly number[],
): (T & { readonly seed: number })[] {
  return groups.flatMap((group) => group.map((result, at) => ({ seed: seeds[at]!, ...result })));
}

function summarised(results: readonly unknown[]): unknown {
  const [first] = results;
  if (results.some((one) => one === undefined || one === null))
    return results.every((one) => one === undefined) ? undefined : null;
  if (typeof first === 'number') return summaryOf(results as number[]);
  if (Array.isArray(first)) {
    const lists = results as unknown[][];
    const names = lists.flat();
    if (names.length === 0 || names.every((one) => typeof one === 'string')) return [...new Set(names)];
    return first.map((_, at) => summarised(lists.map((list) => list[at])));
  }
  if (typeof first !== 'object') return first;
  const keys = [...new Set(results.flatMap((one) => Object.keys(one as object)))];
  return Object.fromEntries(
    keys.map((key) => [key, summarised((results as Record<string, unknown>[]).map((one) => one[key]))]),
  );
}

/** Returns the mean, followed by p10 to p90 in brackets unless all three values have the same text. */
export function spreadText({ mean, p10, p90 }: Pick<Summary, 'mean' | 'p10' | 'p90'>, digits = 0, times = 1): string {
  const [all, low, high] = [mean, p10, p90].map((value) => grouped(times * value, digits));
  const to = low!.startsWith('-') ? ' to ' : '-';
  return all === low && all === high ? all! : `${all} (${low}${to}${high})`;
}

/** Explanation of {@link spreadText} for a table that summarises seeds. */
export const spreadMeaning = 'Values are means (p10-p90) over seeds, or one number if all seeds give the same value.';

/**
 * Returns a column of a table whose rows are the results of all seeds.
 *
 * @param of returns the value for one seed; undefined or null if the seed has no such value.
 * @param none text to show if some seed has no value.
 */
export function spreadColumn<Row>(
  head: string,
  of: (row: Row) => number | null | undefined,
  digits = 0,
  none = '-',
): TableColumn<readonly Row[]> {
  return [
    head,
    (rows) => {
      const values = rows.map(of).filter((value) => value !== null && value !== undefined);
      return values.length < rows.length ? none : spreadText(summaryOf(values), digits);
    },
  ];
}

/** Splits the results into groups with one result per seed, in order. */
export function bySeeds<T>(results: readonly T[], seeds: readonly number[]): T[][] {
  return Array.from({ length: results.length / seeds.length }, (_, group) =>
    results.slice(group * seeds.length, (group + 1) * seeds.length),
  );
}

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
  const tasks = cases.flatMap((of) => seeds.map((seed) => ({ of, seed })));
  return bySeeds(await runEach(tasks, ({ of, seed }) => run(of, seed), unit, context), seeds);
}

/** Converts the rows of each run to one group per row; all runs have the same number of rows. */
export function rowsOfRuns<Row>(runs: readonly (readonly Row[])[]): Row[][] {
  return runs[0]!.map((_, at) => runs.map((rows) => rows[at]!));
}
