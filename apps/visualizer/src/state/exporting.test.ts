import { version } from '@tutti/core';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import { exportFormats, nodeLines } from './exporting.ts';

const index = indexedRun({ nodes: 32, dead: 0.1, attacks: [{ name: 'silent', share: 0.1 }] });

it('exportFormats refuses a log of a run without messages, or of too many nodes', async () => {
  const { refusal, write } = exportFormats.find(({ extension }) => extension === 'log')!;
  expect(refusal!({ ...index.recording, sends: false })).toContain('without its messages');
  const large = write({ index: indexedRun({ nodes: 129 }), node: 0 });
  await expect(large).rejects.toThrow('nodes: expected at most 128 nodes that start');
});

it('nodeLines has one line per node, with the times of the run', () => {
  const [columns, ...lines] = [...nodeLines(index)];
  expect(lines).toHaveLength(32);
  const times = lines.flatMap((line) => line[columns!.indexOf('threshold_ms')] ?? []).map(Number);
  expect(times).toHaveLength(index.recording.result.reached);
  expect(Math.max(...times)).toBeCloseTo(index.recording.result.timeToThresholdMs.max, 6);
  expect(lines.filter((line) => line[columns!.indexOf('role')] === 'byzantine')).toHaveLength(3);
});

it('nodeLines has the same rows in Parquet, with the run’s command, seed, version and units', async () => {
  const parquet = exportFormats.find(({ extension }) => extension === 'parquet')!;
  const file = await (await parquet.write({ index, node: 0 })).arrayBuffer();
  const [columns, ...lines] = [...nodeLines(index)];
  const rows = await parquetReadObjects({ file });
  expect(rows.map((row) => columns!.map((column) => row[String(column)]))).toEqual(lines);
  const said = Object.fromEntries(parquetMetadata(file).key_value_metadata!.map(({ key, value }) => [key, value]));
  expect(said).toEqual({
    tutti_command: expect.stringMatching(/^tutti simulate --protocol handel --nodes 32 /),
    tutti_version: version,
    tutti_seed: '1',
    tutti_units: '{"start_ms":"ms","half_ms":"ms","threshold_ms":"ms"}',
  });
});
