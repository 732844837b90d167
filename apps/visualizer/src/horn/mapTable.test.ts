import { readFileSync } from 'node:fs';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { mapFile, mapTableOf } from './mapTable.ts';
import { readNetworkFile } from './networkFile.ts';

const stored = JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8'));
const { version, frontier } = readNetworkFile(stored);

it('has a row for each simulated slot, each with its command', async () => {
  const { columns, rows } = mapTableOf(frontier);
  expect(rows).toHaveLength(frontier.cells.reduce((sum, { simulated }) => sum + simulated.length, 0));
  expect(columns).toEqual(expect.arrayContaining(['preset', 'slot_ms', 'in_reach_percent', 'shortest_slot_ms']));
  const commands = rows.map((row) => row[columns.indexOf('command')]);
  expect(commands).toContain(
    'tutti slots network --preset electra --validators 131072 --slot-ms 2000 --links home --machine raspberry-pi-4',
  );
  const csv = await (await mapFile(frontier, version, 'csv')).text();
  expect(csv.trimEnd().split('\n')).toHaveLength(rows.length + 1);
  const file = await (await mapFile(frontier, version, 'parquet')).arrayBuffer();
  const read = await parquetReadObjects({ file });
  // In the file, a seed has 64 bits.
  const plain = (cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : (cell ?? null));
  expect(read.map((row) => columns.map((name) => plain(row[name])))).toEqual(rows);
  const said = parquetMetadata(file).key_value_metadata!.map(({ key, value }) => [key, value]);
  expect(Object.fromEntries(said)).toMatchObject({
    tutti_command: 'tutti slots network, with the options in each row',
    tutti_version: version,
  });
});
