import { resultTable } from '@tutti/lab/results';
import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { writeTable } from '../results/tableFile.ts';

const { at } = temporaryFiles();

/** Writes a file of runs with this number of seeds per size. Each run takes 1 ms longer than the previous one. */
function file(name: string, seedsOf: Readonly<Record<number, number>>, startMs: number): string {
  const path = at(name);
  const runs = Object.entries(seedsOf).flatMap(([nodes, seeds]) =>
    Array.from({ length: seeds }, (_, index) => ({
      scenario: { nodes: Number(nodes), seed: index + 1 },
      seed: index + 1,
      timeMs: startMs + index,
      reached: Number(nodes),
    })),
  );
  writeTable(path, resultTable(runs), { command: 'sweep', version: '0.0.0' });
  return path;
}

const compare = async (a: string, b: string, ...flags: string[]) => (await runMain(['compare', a, b, ...flags])).out;

const several = '1 of 2 figures changed beyond their 95 % confidence intervals, comparing runs with the same seed.';
const single = '1 of 2 figures from a single run differ; a single run has no confidence interval.';

it.each([
  ['which values of several runs changed beyond their intervals', { 64: 5 }, { 64: 5 }, [several]],
  ['which values of single runs differ, without an interval', { 64: 1 }, { 64: 1 }, [single]],
  ['both kinds separately if one file has a single run', { 64: 5, 128: 5 }, { 64: 5, 128: 1 }, [several, single]],
])('reports %s', async (_, seedsOfA, seedsOfB, lines) => {
  const files = [file('a.csv', seedsOfA, 100), file('b.parquet', seedsOfB, 200)] as const;
  expect((await compare(...files)).split('\n\n')[0]).toBe(lines.join('\n'));
  expect((await compare(...files, '--markdown')).startsWith(lines.join('\n\n'))).toBe(true);
  expect(await compare(files[0], files[0])).toMatch(/^0 of \d figures/);
});

it('omits the minimum and percentiles of a changed mean, and prints their number', async () => {
  const tableOf = (name: string, min: number, mean: number): string => {
    const timeMs = (seed: number) => ({ min: min + seed, mean: mean + seed, p50: mean + 2 * seed });
    const runs = [1, 2, 3].map((seed) => ({ seed, timeMs: timeMs(seed), idleMs: { min, mean: 5 } }));
    writeTable(at(name), resultTable(runs), { command: 'sweep', version: '0.0.0' });
    return at(name);
  };
  const files = [tableOf('before.csv', 1, 10), tableOf('after.csv', 2, 20)] as const;
  const out = await compare(...files);
  expect(out.match(/\w+_ms_\w+/g)).toEqual(['time_ms_mean', 'idle_ms_min']);
  expect(out).toContain('Not listed: 2 changed minima, maxima and percentiles of the listed means;');
  expect((await compare(...files, '--all')).match(/\w+_ms_\w+/g)).toHaveLength(5);
});

it('reports that nothing can be compared', async () => {
  const out = await compare(file('small.csv', { 64: 1, 32: 1 }, 1), file('large.csv', { 256: 1, 512: 1 }, 1));
  expect(out).toMatch(
    /^The two files have no figures for the same inputs\.\nOnly in a: scenario_nodes 32; scenario_nodes 64\./,
  );
});
