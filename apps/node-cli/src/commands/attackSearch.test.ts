import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { refusalOf, runMain } from '../../test/runMain.ts';

describe('tutti attack search', () => {
  it('reports an interruption', async () => {
    const signal = AbortSignal.abort();
    const { code, out, err } = await runMain(['attack', 'search', '--nodes', '8', '--tries', '1'], { signal });
    expect(out).toBe('');
    expect(err).toContain('interrupted');
    expect(code).not.toBe(0);
  });
});

it('attack table refuses a folder for its results that cannot be created', async () => {
  const runs = join(fileURLToPath(import.meta.url), 'runs');
  expect(refusalOf(await runMain(['attack', 'table', '--run-folder', runs]))).toBe(
    `--run-folder: expected a folder that can be created, got ${runs} (ENOTDIR)`,
  );
});
