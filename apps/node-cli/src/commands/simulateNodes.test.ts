import { expect, it } from 'vitest';
import { documentFrom } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';

const { at } = temporaryFiles();

it('simulate --out writes one row per node, from which the percentiles of the result follow', async () => {
  const path = at('nodes.parquet');
  const line = `simulate --nodes 128 --dead 0.1 --attack invalid:0.1 --out ${path}`;
  const { live, percentiles, timeToThresholdMs, bytesSent } = await documentFrom(line);
  const { columns, rows } = await readTable(path);
  const of = (name: string) => rows.map((row) => row[columns.indexOf(name)]!);
  expect(of('node')).toEqual(Array.from({ length: 128 }, (_, node) => node));
  const roles = of('role');
  const counts = ['honest', 'dead', 'byzantine'].map((role) => roles.filter((one) => one === role).length);
  expect(counts).toEqual([live, 12, 128 - live - 12]);
  expect(new Set(of('region')).size).toBe(11);
  const honest = (name: string) => of(name).filter((_, node) => roles[node] === 'honest') as number[];
  const times = honest('time_to_threshold_ms').toSorted((a, b) => a - b);
  expect([times[0], times.at(-1)]).toEqual([timeToThresholdMs.min, timeToThresholdMs.max]);
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => times[Math.ceil(share * live) - 1]);
  expect(percentiles.timeToThresholdMs).toEqual({ p50, p90, p99 });
  expect(honest('bytes_sent').reduce((sum, one) => sum + one, 0) / live).toBeCloseTo(bytesSent.mean);
});
