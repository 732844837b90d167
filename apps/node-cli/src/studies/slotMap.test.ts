import { expect, it } from 'vitest';
import { documentFrom, refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';

const small = 'slots map --preset electra --validators 4096 --beacon-nodes 32 --jobs 1';

const { at } = temporaryFiles();

it('finds a shorter slot with a faster link, and prints the simulated values', async () => {
  const file = at('lengths.parquet');
  const flags = '--vary cores=1,4 --slot-seconds 0.35,0.45,0.5';
  const { varied, cells } = await documentFrom(`${small} ${flags} --out ${file}`);
  expect(varied).toBe('cores');
  expect(cells.map(({ value }: { value: string }) => value)).toEqual(['1', '4']);
  for (const { slotSeconds, simulated } of cells) {
    expect([0.45, 0.5]).toContain(slotSeconds);
    for (const one of simulated) {
      expect(one.inReachPercent >= 99).toBe(one.slotSeconds >= slotSeconds);
      expect(one.inReachPercent).toBeLessThanOrEqual(100);
      expect(one.inReachP10Percent).toBeGreaterThanOrEqual(one.inReachMinPercent);
      expect(one.inReachP90Percent).toBeLessThanOrEqual(one.inReachMaxPercent);
    }
  }
  // The search tries different lengths for different seeds.
  const tried = cells.flatMap(({ simulated }: { simulated: { seeds: number }[] }) => simulated.map((of) => of.seeds));
  expect(new Set(tried).size).toBeGreaterThan(1);
  const { columns, rows } = await readTable(file);
  expect(rows.map((row) => row[columns.indexOf('seeds')])).toEqual(tried);
});

it('varies several values at once, and writes one row per simulated slot', async () => {
  const file = at('map.parquet');
  const flags = '--vary proposal=none,gloas+bundles --vary cores=1,4 --slot-range 2..3';
  const { varied, slotSeconds, cells } = await documentFrom(`${small} ${flags} --out ${file}`);
  expect({ varied, slotSeconds }).toEqual({ varied: 'proposal, cores', slotSeconds: [2, 3] });
  expect(cells.map(({ inputs }: { inputs: object }) => inputs)).toEqual([
    { proposal: 'none', cores: '1' },
    { proposal: 'none', cores: '4' },
    { proposal: 'gloas+bundles', cores: '1' },
    { proposal: 'gloas+bundles', cores: '4' },
  ]);
  const { columns, rows } = await readTable(file);
  const some = ['preset', 'proposal', 'cores', 'seed', 'slot_ms', 'in_reach_percent', 'in_reach_p10_percent'];
  expect(columns).toEqual(expect.arrayContaining(some));
  expect(rows).toHaveLength(cells.flatMap(({ simulated }: { simulated: object[] }) => simulated).length);
});

it.each(['0.09', '2,1', '2,2', '601', 'x'])('refuses the slot lengths %s', async (list) => {
  expect(refusalOf(await runMain(['slots', 'map', '--slot-seconds', list]))).toBe(
    `--slot-seconds: expected seconds from 0.1 to 600, ascending, comma-separated, got "${list}"`,
  );
});
