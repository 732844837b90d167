import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentFrom, refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';

const world = '--validators 4096 --beacon-nodes 64 --subcommittees 1 --aggregators 4';
const small = `slots deadlines ${world} --jobs 1 --seeds 2 --max-consecutive-slots 1`;

const { at } = temporaryFiles();

it('has a cell for each slot, pair of deadlines and lateness, in ms, as table and figure', async () => {
  const [table, figure] = [at('grid.parquet'), at('grid.svg')];
  const grid = '--slot-seconds 12,4 --attest-bps 2500 --aggregate-bps 5000,6667 --proposals none,late';
  const { cells, seeds, world } = await documentFrom(`${small} ${grid} --out ${table} --svg ${figure}`);
  expect(seeds).toEqual([1, 2]);
  expect(world).toMatchObject({ profile: 'electra', network: 'aws', seeds });
  const times = [
    { slotMs: 12_000, attestMs: 3000, aggregateMs: 6000 },
    { slotMs: 12_000, attestMs: 3000, aggregateMs: 8000 },
    { slotMs: 4000, attestMs: 1000, aggregateMs: 2000 },
    { slotMs: 4000, attestMs: 1000, aggregateMs: 2667 },
  ];
  expect(cells).toMatchObject(['none', 'late'].flatMap((proposal) => times.map((of) => ({ proposal, ...of }))));
  // In a slot of 12 s, even the latest votes have arrived 3 s after votes are due. In a slot of 4 s, an aggregate
  // deadline 1 s after votes are due misses some votes.
  const late = cells.map(({ lateVotesPercent }: { lateVotesPercent: { mean: number } }) => lateVotesPercent.mean);
  expect(late.slice(0, 6).every((share: number) => share < 0.5)).toBe(true);
  expect(late[6]).toBeGreaterThan(late[7]);
  expect(late[7]).toBeGreaterThan(0.5);
  for (const { inBlockPercent, bySeedPercent, lateVotesPercent } of cells) {
    expect(inBlockPercent.max).toBeLessThanOrEqual(100 - lateVotesPercent.mean + 3);
    expect(inBlockPercent.min).toBeLessThanOrEqual(bySeedPercent.min);
  }
  const { columns, rows } = await readTable(table);
  expect(rows).toHaveLength(8);
  const some = ['links', 'seeds', 'attest_ms', 'aggregate_ms', 'late_votes_percent_mean', 'vote_p99_ms_max'];
  expect(columns).toEqual(expect.arrayContaining(some));
  expect(readFileSync(figure, 'utf8')).toContain('due at 25 and 50 % of the slot');
});

it('has a row of the Markdown table for each pair of deadlines in basis points, also if they are close', async () => {
  const grid = '--slot-seconds 4 --attest-bps 3332,3333 --aggregate-bps 6667 --proposals none';
  const { out } = await runMain(`${small} ${grid} --seeds 1 --markdown`);
  expect(out.match(/^\| on time /gm)).toHaveLength(2);
});

it('accepts deadlines in ms, and refuses pairs of which none fits into a slot', async () => {
  const given = `${small} --slot-seconds 8,4,8 --attest-ms 2000 --proposals none`;
  expect((await documentFrom(`${given} --aggregate-ms 3000,6000`)).cells).toMatchObject([
    { slotMs: 8000, aggregateMs: 3000 },
    { slotMs: 8000, aggregateMs: 6000 },
    { slotMs: 4000, aggregateMs: 3000 },
  ]);
  for (const [flag, due] of Object.entries({ '--aggregate-ms': '1000', '--aggregate-bps': '1,2' }))
    expect(refusalOf(await runMain(`${given} --json ${flag} ${due}`))).toBe(
      `${flag}: expected a deadline after that of votes and within a slot, got "${due}"`,
    );
});
