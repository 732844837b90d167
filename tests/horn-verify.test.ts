import { describe, expect, it } from 'vitest';
import { start, tutti } from './tutti.ts';

const small = ['horn', 'verify', '--collections', '40', '--committee', '200'];

describe('tutti horn verify', () => {
  it('sums, verifies and refuses on one thread and on several, and says what it did', async () => {
    for (const threads of ['1', '3']) {
      const { code, out } = await tutti(...small, '--participation', '0.5,0.95,1', '--threads', threads, '--json');
      expect(code).toBe(0);
      const { opening, sums, pairings, peakRssBytes, ...rest } = JSON.parse(out);
      expect(rest).toEqual({
        collections: 40,
        committees: 32,
        committee: 200,
        seed: 1,
        keys: 6400,
        keyBytes: 614_400,
        threads: Number(threads),
        corruptedRefused: 96,
      });
      const added = sums.map(({ participation, method, additions }: Record<string, unknown>) => [
        participation,
        method,
        additions,
      ]);
      expect(added).toEqual([
        [0.5, 'naive', 4000],
        [0.5, 'batched', 4000],
        [0.5, 'subtraction', 4000],
        [0.95, 'naive', 7600],
        [0.95, 'batched', 7600],
        [0.95, 'subtraction', 400],
        [1, 'naive', 8000],
        [1, 'batched', 8000],
        [1, 'subtraction', 0],
      ]);
      expect(sums.at(-1).nsPerAddition).toBeNull();
      for (const { nsPerAddition } of sums.slice(0, -1)) expect(nsPerAddition).toBeGreaterThan(0);
      expect(pairings.map(({ method }: { method: string }) => method)).toEqual(
        [1, 2, 3].flatMap(() => ['singly', 'together']),
      );
      for (const row of [opening, ...sums, ...pairings]) expect(row.wallSeconds).toBeGreaterThan(0);
      expect(peakRssBytes).toBeGreaterThan(0);
    }
  });

  it('prints tables to people, of one method if asked', async () => {
    const { code, out } = await tutti(...small, '--participation', '0.9', '--method', 'subtraction');
    expect(code).toBe(0);
    expect(out).toMatch(/^40 collections of 200 bits, 32 committees, 1 thread; 6,400 distinct keys, 0\.6 MB/);
    expect(out).toMatch(/\n90 %, subtraction +800 /);
    expect(out).not.toMatch(/naive|batched/);
    expect(out).toMatch(/32 of 32 corrupted collections are refused\.\n$/);
  });

  it('refuses flags that cannot be, in one line', async () => {
    const refused = [
      ['--collections', '0', /--collections: expected an integer from 1 to 8192, got "0"/],
      ['--committee', '7', /--committee: expected an integer from 8 to 32768/],
      ['--participation', '0.5,2', /--participation: expected shares over 0, up to 1, got "2"/],
      ['--participation', '0.001', /--participation: expected 2 votes of 200 or more, got "0.001"/],
      ['--threads', 'some', /--threads: expected an integer from 1 to 256/],
      ['--method', 'magic', /--method: expected naive or batched or subtraction or all, got "magic"/],
    ] as const;
    for (const [flag, value, line] of refused) {
      const { code, out, err } = await tutti(...small, flag, value);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(line);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });

  it('ends at Ctrl-C in the middle of its sums', async () => {
    const { child, finished } = start('horn', 'verify', '--method', 'naive');
    const working = new Promise<void>((resolve) => child.stderr!.once('data', () => resolve()));
    await working;
    child.kill('SIGINT');
    const { code, out, err } = await finished;
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toMatch(/tutti: interrupted\n$/);
  });
});
