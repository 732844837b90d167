import { leanProfiles, leanStrategies } from '@tutti/ethereum/lean';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { documentFrom, refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';

const { at, write, writeJson } = temporaryFiles();

it('compares strategies without time, with the numbers of the closed forms', async () => {
  const { rows } = await documentFrom('lean strategies --subnets 8 --ideal --shares 0');
  type Row = Record<string, { mean: number }>;
  const found = rows.map(({ strategy, merges, roundsToFull }: Row) => [strategy, [merges!.mean, roundsToFull!.mean]]);
  expect(Object.fromEntries(found)).toMatchObject({
    ...{ spec: [1, 1], greedy: [56, 7], window: [24, 3], 'window-skip': [8, 4] },
    ...{ halving: [24, 3], 'halving-owners': [7, 3] },
  });
});

it('compares with every strategy, and prints each row with at least the documented keys', async () => {
  const profile = writeJson('small.json', { ...leanProfiles['lean-2026-09'], validators: 256 });
  const flags = `--subnets 2 --cores 64 --nodes 8 --profile ${profile} --seeds 2`;
  const { rows, scenario, seeds } = await documentFrom(`lean strategies ${flags}`);
  expect(scenario).toMatchObject({ subnets: 2, nodes: 8, profile: { cores: 64 }, network: 'cities' });
  expect(seeds).toEqual([1, 2]);
  expect(rows).toHaveLength(5 * leanStrategies.length);
  expect(new Set(rows.map(({ strategy }: { strategy: string }) => strategy))).toEqual(new Set(leanStrategies));
  const number = expect.any(Number);
  const spread = { mean: number, min: number, p10: number, p90: number, max: number };
  for (const row of rows) {
    expect(row).toMatchObject({
      ...{ strategy: expect.any(String), silent: number, omitting: number, subnets: 2, aggregators: 4 },
      covered: { '2400': spread, '3200': spread, '4000': spread },
      merges: spread,
      proverSeconds: { useful: spread, duplicate: spread, late: spread, superseded: spread },
      bytes: spread,
    });
    for (const share of Object.values<{ max: number }>(row.covered)) expect(share.max).toBeLessThanOrEqual(1);
    expect(row.roundsToFull === null || Number.isInteger(row.roundsToFull.max)).toBe(true);
  }
});

it('a map refuses a value that does not fit the profile, before the first run', async () => {
  const profile = writeJson('32.json', { ...leanProfiles['lean-2026-09'], validators: 32 });
  expect(refusalOf(await runMain(`lean map --profile ${profile}`))).toBe(
    '--subnets: expected an integer from 1 to 32, got 64',
  );
});

it('simulates a slot of a profile that a file changes, and names the field of a refused one', async () => {
  const { out } = await runMain(['lean', 'profile', 'lean-2026-09']);
  expect(JSON.parse(out)).toEqual(leanProfiles['lean-2026-09']);
  const path = write('mine.json', out.replace('"validators": 4096', '"validators": 256'));
  const { recording } = await documentFrom(`lean slot --profile ${path} --subnets 2 --nodes 8 --seeds 2`);
  expect(recording).toMatchObject({ format: 'tutti-lean-slot-1', validators: 256, subnets: 2 });
  const bad = write('bad.json', out.replace('"floorMs": 300', '"floorMs": -1'));
  expect(refusalOf(await runMain(['lean', 'slot', '--profile', bad]), 1)).toBe(
    `${bad}: prover.floorMs: expected a number from 0 to 1000000, got -1`,
  );
});

it.runIf(isWhole).each([
  [
    'chain --story steady --slots 8',
    8,
    ['lean_current_slot', 'lean_latest_justified_slot', 'lean_latest_finalized_slot'],
  ],
  [
    'strategies --subnets 4 --ideal --strategies halving,tree --shares 0',
    2,
    ['strategy', 'covered_4000_p10', 'prover_seconds_useful_mean', 'rounds_to_full_max', 'network', 'seeds'],
  ],
])('lean %s writes a table', async (line, count, columns) => {
  const path = at('table.parquet');
  await runMain(`lean ${line} --out ${path} --force`);
  const table = await readTable(path);
  expect(table.rows).toHaveLength(count);
  expect(table.columns).toEqual(expect.arrayContaining(columns));
});

it('checks the assignment of merges: the flag fails with a shortest trace and a link, rotating owners do not', async () => {
  const flag = await runMain('lean rules --rule window-skip --subnets 4 --owners 0,2');
  expect(flag.code).toBe(1);
  expect(flag.out).toContain(
    'link: lean.html#lean-check=rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:',
  );
  expect(flag.err).toBe('tutti: broken: All well, somebody merges in every slot until a proof has all votes.\n');
  // This flag gives a strategy by its former name.
  const owners = await documentFrom('lean rules --rule handel-owners --silent 1');
  expect(owners).toMatchObject({ rule: 'halving-owners', placements: 26, broken: [] });
});
