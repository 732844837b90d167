import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { startWith, tutti } from './tutti.ts';

const small = ['horn', 'verify', '--collections', '33', '--committee', '200'];

describe('tutti horn verify', () => {
  it('sums, verifies and refuses on one thread and on several, and says what it did', async () => {
    for (const threads of ['1', '3']) {
      const { code, out } = await tutti(...small, '--participation', '0.5,0.95', '--threads', threads, '--json');
      expect(code).toBe(0);
      const { opening, sums, pairings, peakRssBytes, ...rest } = JSON.parse(out);
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
      const added = sums.map(({ participation, method, additions }: Record<string, unknown>) => [
        participation,
        method,
        additions,
      ]);
      expect(added).toEqual([
        [0.5, 'naive', 3300],
        [0.5, 'batched', 3300],
        [0.5, 'subtraction', 3300],
        [0.95, 'naive', 6270],
        [0.95, 'batched', 6270],
        [0.95, 'subtraction', 330],
      ]);
      for (const { nsPerAddition } of sums) expect(nsPerAddition).toBeGreaterThan(0);
      expect(pairings.map(({ method }: { method: string }) => method)).toEqual(
        [1, 2].flatMap(() => ['singly', 'together']),
      );
      for (const row of [opening, ...sums, ...pairings]) expect(row.wallSeconds).toBeGreaterThan(0);
      expect(peakRssBytes).toBeGreaterThan(0);
    }
  });

  it('prints tables to people, of one method if asked', async () => {
    const { code, out } = await runMain([...small, '--participation', '0.9,1', '--method', 'subtraction']);
    expect(code).toBe(0);
    expect(out).toMatch(/^33 collections of 200 bits, 32 committees, 1 thread; 6,400 distinct keys, 0\.6 MB/);
    expect(out).toMatch(/\n90 %, subtraction +660 .*\n100 %, subtraction +0 .* -\n/);
    expect(out).not.toMatch(/naive|batched/);
    expect(out).toMatch(/64 of 64 corrupted collections are refused\.\n$/);
  });

  it('ends at Ctrl-C in the middle of its work', async () => {
    const { child, finished } = startWith({ TUTTI_PROGRESS: 'line' }, ['horn', 'verify', '--method', 'naive']);
    const working = new Promise<void>((resolve) => child.stderr!.once('data', () => resolve()));
    await working;
    child.kill('SIGINT');
    const { code, out, err } = await finished;
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toMatch(/tutti: interrupted\n$/);
  });
});

it('npm run bench -- horn puts keys and signatures at 95 % beside the post', () => {
  const bench = fileURLToPath(new URL('../scripts/bench/horn.mjs', import.meta.url));
  const slot = ['--collections', '4', '--committee', '64', '--participation', '0.95,1'];
  const page = execFileSync(process.execPath, [bench, '--dry', '--', ...slot], { encoding: 'utf8' });
  const beside = page.slice(page.indexOf('## Beside the post'), page.indexOf('## On the clock'));
  expect(beside).toContain('| the post, i9-11980HK: keys, 100 % | 16,777,216 | 2.8 | 167 |');
  // 61 of 64 voted, so three keys a collection are subtracted.
  const shares = beside.match(/(?<=^\| here: ).*? \| [\d,]+/gm);
  expect(shares).toEqual([
    'keys, 100 %, naive | 256',
    'keys, 100 %, batched | 256',
    'keys, 95 %, subtraction | 12',
    'keys and signatures, 95 %, subtraction | 12',
  ]);
});
