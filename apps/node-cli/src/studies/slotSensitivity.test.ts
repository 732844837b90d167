import { expect, it, vi } from 'vitest';
import { runMain } from '../../test/runMain.ts';

// Long enough for a busy machine: no test waits for anything.
vi.setConfig({ testTimeout: 120_000 });

const small = ['--preset', 'electra', '--validators', '2048', '--beacon-nodes', '32', '--jobs', '1'];
const changed = ['--change', '--cores 1', '--change', '--links home'];

it('tutti slots sensitivity: a row for each changed assumption, and which side of 99 % it is on', async () => {
  const { code, out } = await runMain(['slots', 'sensitivity', ...small, ...changed, '--json']);
  expect(code).toBe(0);
  const { validators, rows } = JSON.parse(out);
  expect(validators).toBe(2048);
  expect(rows.map(({ flags }: { flags: string }) => flags)).toEqual(['', '--cores 1', '--links home']);
  for (const { cells } of rows) {
    expect(cells).toHaveLength(1);
    expect(cells[0].isEnough).toBe(cells[0].inReachPercent >= 99);
    expect(cells[0].receivedMb).toBeGreaterThan(0);
  }
});

it('marks a verdict that is not the one under the assumptions as they are', async () => {
  // 300 ms a slot are enough for gigabit links alone.
  const args = ['--slot-ms', '300', '--change', '--links gigabit', '--change', '--links home'];
  const { out } = await runMain(['slots', 'sensitivity', ...small, ...args]);
  const cellOf = (flags: string): string => out.match(new RegExp(`^${flags} +([0-9.]+!?)$`, 'm'))![1]!;
  const isEnough = (cell: string): boolean => Number(cell.replace('!', '')) >= 99;
  for (const flags of ['--links gigabit', '--links home']) {
    expect(cellOf(flags).endsWith('!')).toBe(isEnough(cellOf(flags)) !== isEnough(cellOf('as assumed')));
  }
});

it('a change that is not known is one line', async () => {
  const { code, out, err } = await runMain(['slots', 'sensitivity', '--change', '--tuba 1']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('--change: expected --seed 2 or');
});
