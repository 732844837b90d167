import { describe, expect, it } from 'vitest';
import { documentOf, outputOf, runMain } from '../apps/node-cli/test/runMain.ts';
import { isWhole, sampled } from './sampled.ts';
import { tutti } from './tutti.ts';

const small = ['bench', 'collections', '--collections', '33', '--committee', '200'];

describe('tutti bench collections', () => {
  it.runIf(isWhole)('sums, verifies and refuses on one thread and on several, and reports the results', async () => {
    for (const threads of sampled(['1', '3'], 1)) {
      const { opening, sums, pairings, peakRssBytes, ...rest } = documentOf(
        await tutti(...small, '--participation', '0.5,0.95', '--threads', threads, '--json'),
      );
      expect(rest).toEqual({
        collections: 33,
        committees: 32,
        committee: 200,
        seed: 1,
        keys: 6400,
        keyBytes: 614_400,
        threads: Number(threads),
        corruptedRefused: 64,
      });
      expect(sums).toMatchObject([
        { participation: 0.5, method: 'naive', additions: 3300 },
        { participation: 0.5, method: 'batched', additions: 3300 },
        { participation: 0.5, method: 'subtraction', additions: 3300 },
        { participation: 0.95, method: 'naive', additions: 6270 },
        { participation: 0.95, method: 'batched', additions: 6270 },
        { participation: 0.95, method: 'subtraction', additions: 330 },
      ]);
      expect(pairings).toMatchObject([1, 2].flatMap(() => [{ method: 'singly' }, { method: 'together' }]));
      for (const row of [opening, ...sums, ...pairings]) expect(row.wallSeconds).toBeGreaterThan(0);
      expect(peakRssBytes).toBeGreaterThan(0);
    }
  });

  it('prints tables without --json, of one method if asked', async () => {
    const out = outputOf(await runMain([...small, '--participation', '0.9,1', '--method', 'subtraction']));
    expect(out).toMatch(/^33 collections of 200 bits, 32 committees, 1 thread; 6,400 distinct keys, 0\.6 MB/);
    expect(out).toMatch(/\n90 %, subtraction +660 .*\n100 %, subtraction +0 .* -\n/);
    expect(out).not.toMatch(/naive|batched/);
    expect(out).toMatch(/All 64 corrupted collections are rejected\.\n$/);
  });
});
