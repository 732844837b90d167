import { readFileSync } from 'node:fs';
import { resultTable } from '@tutti/lab/results';
import { expect, it } from 'vitest';
import { refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { writeTable } from '../results/tableFile.ts';

const { at } = temporaryFiles();

/** Runs of two protocols, with two shares of dead nodes and three seeds for each share. */
const runs = ['handel', 'gossip'].flatMap((protocol) =>
  [0.2, 0].flatMap((dead) =>
    [1, 2, 3].map((seed) => ({
      scenario: { protocol, dead, nodes: dead === 0 ? 64 : 128, seed },
      timeToThresholdMs: { min: 1, mean: (protocol === 'handel' ? 100 : 200) + 1000 * dead + seed, max: 999 },
    })),
  ),
);
const file = at('runs.parquet');
writeTable(file, resultTable(runs), { command: 'sweep', version: '0.0.0' });
const plot = (...flags: string[]) => runMain(['plot', file, ...flags]);

it('draws a mark for the mean over the seeds of each value and series', async () => {
  const line = `plot ${file} --x dead --y time --by protocol --svg ${at('a.svg')}`;
  const { code, out } = await runMain(`${line} --json`);
  expect(code).toBe(0);
  const { x, y, series } = JSON.parse(out);
  expect(x).toEqual({ label: 'scenario dead', unit: '', scale: 'linear' });
  expect(y).toEqual({ label: 'time to threshold ms mean', unit: 'ms', scale: 'linear' });
  const points = (first: number) => [
    { x: 0, values: [first, first + 1, first + 2] },
    { x: 0.2, values: [first + 200, first + 201, first + 202] },
  ];
  expect(series).toEqual([
    { name: 'handel', points: points(101) },
    { name: 'gossip', points: points(201) },
  ]);
  const svg = readFileSync(at('a.svg'), 'utf8');
  expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
  expect(svg).not.toMatch(/NaN|undefined|\[object/);
  expect(svg.match(/302 \(301 to 303\)/g)).toHaveLength(1);
  for (const name of ['handel', 'gossip']) expect(svg).toContain(`>${name}<`);
});

it('has a row for each text on the horizontal axis, and prints the drawing without a file', async () => {
  const { out, err } = await plot('--x', 'protocol', '--y', 'timeToThresholdMs', '--by', 'dead');
  expect(out).toMatch(/^<svg /);
  expect(err).toBe(
    `tutti: warning: ${file}: each mark is also a mean over scenario_nodes; use --by with one of these columns\n`,
  );
});

it('refuses an unknown column, a column of texts as a value, and a logarithmic axis for 0 or texts', async () => {
  expect(refusalOf(await plot('--x', 'ded', '--y', 'time'))).toMatch(/^--x: expected a column, got "ded"/);
  expect(refusalOf(await plot('--x', 'dead', '--y', 'protocol'))).toBe(
    '--y: expected a numeric column, got scenario_protocol',
  );
  for (const x of ['protocol', 'dead'])
    expect(refusalOf(await plot('--x', x, '--y', 'time', '--log'))).toBe(
      `--log: expected a column of positive numbers as --x, got scenario_${x}`,
    );
});
