import { describe, expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';

describe('tutti attack search', () => {
  it.each([
    [['--nodes', '3'], '--nodes: expected an integer from 4 to 65536, got "3"'],
    [['--share', '0.5'], '--share: expected a number greater than 0 and less than 0.5, got "0.5"'],
    [['--share', '0'], '--share: expected a number greater than 0 and less than 0.5, got "0"'],
    [['--minutes', '0'], '--minutes: expected a number greater than 0 and at most 10000, got "0"'],
    [['--tries', '0'], '--tries: expected an integer from 1 to 1000000, got "0"'],
    [['--objective', 'worst'], '--objective: expected mean or last, got "worst"'],
    [['--ids', 'mine'], '--ids: expected drawn or chosen, got "mine"'],
    [['--verify-ms', '4,slow'], '--verify-ms: expected milliseconds, a number from 0 to 600000, got "slow"'],
    [['--nodes', '8', '--weights', '3x1'], '--weights: expected one for each of 8 nodes, got 3'],
    [
      ['--nodes', '8', '--weights', 'pareto:1', '--ids', 'chosen', '--attack-share-of', 'weight'],
      'attackBy with across-levels, which chooses its ids: expected nodes, got "weight"',
    ],
    [['--jobs', 'many'], '--jobs: expected an integer from 1 to 1024, got "many"'],
  ])('refuses %j in one line', async (args, message) => {
    expect(await runMain(['attack', 'search', ...args])).toEqual({ code: 2, out: '', err: `tutti: ${message}\n` });
  });

  it('reports an interruption', async () => {
    const signal = AbortSignal.abort();
    const { code, out, err } = await runMain(['attack', 'search', '--nodes', '8', '--tries', '1'], { signal });
    expect(out).toBe('');
    expect(err).toContain('interrupted');
    expect(code).not.toBe(0);
  });
});
