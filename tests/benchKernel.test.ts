import { expect, it } from 'vitest';
import { tutti } from './tutti.ts';

// In a process of its own: a thread has one kernel, and the tests of a worker may have loaded the one with SIMD.
it('tutti bench kernel prints a row an operation, with null where a library lacks it', async () => {
  const only = ['--only', 'verify', '--only', 'hash-to-curve'];
  const { code, out, err } = await tutti('bench', 'kernel', '--json', '--rounds', '1', ...only);
  expect(code, err).toBe(0);
  const { rows, modules } = JSON.parse(out);
  expect(rows.map(({ operation }: { operation: string }) => operation)).toEqual(['verify', 'hash-to-curve']);
  for (const { ms } of rows) {
    expect(Object.keys(ms)).toEqual(['scalar', 'simd', 'wide', 'noble', 'herumi', 'native']);
    expect(Math.min(ms.scalar, ms.noble)).toBeGreaterThan(0);
  }
  expect(rows[0].ms.herumi).toBeGreaterThan(0);
  expect(rows[1].ms.herumi).toBeNull();
  for (const { gzipBytes } of [modules.scalar, modules.simd, modules.wide]) expect(gzipBytes).toBeLessThan(100 * 1024);
});
