import { expect, it } from 'vitest';
import { documentFrom } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';

const { at } = temporaryFiles();

it('a time that some votes do not have within the slot is null, and the table has the columns of other studies', async () => {
  const file = at('proposals.parquet');
  const small = '--validators 2048 --beacon-nodes 32 --subcommittees 1 --aggregators 4 --seeds 2 --proposals none';
  // The slot lasts 8 s after votes are due, so votes that need three hops of 3 s are not verified.
  const { rows } = await documentFrom(`slots proposals ${small} --network constant:3000 --out ${file}`);
  expect(rows).toMatchObject([{ proposal: 'none', seeds: [1, 2], p50Ms: { max: expect.any(Number) }, p999Ms: null }]);
  expect(rows[0].p50Ms.min).toBeGreaterThan(3000);
  const { columns, rows: written } = await readTable(file);
  const names = ['preset', 'validators', 'seed', 'seeds', 'slot_ms', 'votes'];
  expect(names.map((name) => written[0]![columns.indexOf(name)])).toEqual(['electra', 2048, 1, 2, 12_000, 64]);
});
