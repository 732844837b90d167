import { describe, expect, it, vi } from 'vitest';
import { runMain } from '../../test/runMain.ts';

// Long enough for a busy machine: no test waits for anything.
vi.setConfig({ testTimeout: 120_000 });

const small = ['--preset', 'electra', '--validators', '4096', '--beacon-nodes', '32', '--jobs', '1'];

describe('tutti horn map', () => {
  it('finds a shorter slot on a faster link, and says what was played', async () => {
    const { code, out } = await runMain([
      ...['horn', 'map', ...small, '--vary', 'cores=1,4', '--slot-seconds', '0.1,0.4,12', '--json'],
    ]);
    expect(code).toBe(0);
    const { varied, cells } = JSON.parse(out);
    expect(varied).toBe('cores');
    expect(cells.map(({ value }: { value: string }) => value)).toEqual(['1', '4']);
    for (const { slotSeconds, played } of cells) {
      expect([0.4, 12]).toContain(slotSeconds);
      for (const one of played) expect(one.inReachPercent >= 99).toBe(one.slotSeconds >= slotSeconds);
    }
  });

  it.each([
    [['--vary', 'tuba=1'], '--vary: expected NAME=VALUE,VALUE with one of machine, links'],
    [['--slot-seconds', '4,3'], '--slot-seconds: expected seconds from 0.1 to 600, ascending'],
  ])('%j is one line', async (args, line) => {
    const { code, out, err } = await runMain(['horn', 'map', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(line);
  });
});
