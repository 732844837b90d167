import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultTable } from '@tutti/lab/results';
import { describe, expect, it } from 'vitest';
import { runMain, words } from '../../test/runMain.ts';
import { temporaryFolder } from '../../test/temporaryFolder.ts';
import { writeTable } from '../results/tableFile.ts';

const folder = temporaryFolder();

/** Runs of two protocols, with two shares of dead nodes and three seeds for each share. */
const runs = ['handel', 'gossip'].flatMap((protocol) =>
  [0.2, 0].flatMap((dead) =>
    [1, 2, 3].map((seed) => ({
      scenario: { protocol, dead, nodes: dead === 0 ? 64 : 128, seed },
      timeToThresholdMs: { min: 1, mean: (protocol === 'handel' ? 100 : 200) + 1000 * dead + seed, max: 999 },
    })),
  ),
);
const file = join(folder, 'runs.parquet');
writeTable(file, resultTable(runs), { command: 'sweep', version: '0.0.0' });
const plot = (...flags: string[]) => runMain(['plot', file, ...flags]);

describe('tutti plot', () => {
  it('draws a mark for the mean over the seeds of each value and series', async () => {
    const { code, out } = await plot(
      ...words('--x dead --y time --by protocol --json'),
      '--svg',
      join(folder, 'a.svg'),
    );
    expect(code).toBe(0);
    const { x, y, series } = JSON.parse(out);
    expect(x).toEqual({ label: 'scenario dead', unit: '', scale: 'linear' });
    expect(y).toEqual({ label: 'time to threshold ms mean', unit: 'ms', scale: 'linear' });
    expect(series).toEqual([
      {
        name: 'handel',
        points: [
          { x: 0, values: [101, 102, 103] },
          { x: 0.2, values: [301, 302, 303] },
        ],
      },
      {
        name: 'gossip',
        points: [
          { x: 0, values: [201, 202, 203] },
          { x: 0.2, values: [401, 402, 403] },
        ],
      },
    ]);
    const svg = readFileSync(join(folder, 'a.svg'), 'utf8');
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

  it('names the most similar column', async () => {
    const { code, err } = await plot('--x', 'ded', '--y', 'time');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^tutti: --x: expected a column, got "ded"/) });
    expect((await plot('--x', 'dead', '--y', 'protocol')).err).toBe(
      'tutti: --y: expected a numeric column, got scenario_protocol\n',
    );
  });
});
