import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';

describe('tutti attack table', () => {
  it.each([
    [['--nodes', '1024,7'], '--nodes: expected an integer from 8 to 65536, got "7"'],
    [['--shares', '0.3,0.5'], '--shares: expected shares greater than 0 and less than 0.5, got "0.5"'],
    [['--seeds', '0'], '--seeds: expected an integer from 1 to 1000, got "0"'],
    [['--write', ''], '--write: expected the name of a file, got ""'],
  ])('refuses %j in one line', async (args, message) => {
    expect(await runMain(['attack', 'table', ...args])).toEqual({ code: 2, out: '', err: `tutti: ${message}\n` });
  });

  it('refuses a folder for its results that cannot be created', async () => {
    const runs = join(fileURLToPath(import.meta.url), 'runs');
    const { code, out, err } = await runMain(['attack', 'table', '--run-folder', runs]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(`tutti: --run-folder: expected a folder that can be created, got ${runs} (ENOTDIR)\n`);
  });
});
