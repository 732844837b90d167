import { expect, it } from 'vitest';
import { isWhole } from './sampled.ts';
import { tutti } from './tutti.ts';

// In a separate process, because a worker's tests may have loaded the thread's only kernel, with SIMD.
it.runIf(isWhole)('tutti bench kernel prints one row per operation, with null if a library lacks it', async () => {
  const only = ['--only', 'verify', '--only', 'hash-to-curve'];
  const { code, out, err } = await tutti('bench', 'kernel', '--json', '--rounds', '1', ...only);
  expect(code, err).toBe(0);
  const { rows, modules } = JSON.parse(out);
  expect(rows.map(({ operation }: { operation: string }) => operation)).toEqual(['verify', 'hash-to-curve']);
  for (const { ms } of rows) {
    expect(Object.keys(ms)).toEqual(['scalar', 'simd', 'wide', 'upstream', 'noble', 'herumi', 'native']);
    expect(Math.min(ms.scalar, ms.upstream, ms.noble)).toBeGreaterThan(0);
  }
  expect(Math.min(rows[0].ms.herumi, rows[0].ms.native)).toBeGreaterThan(0);
  expect(rows[1].ms.herumi).toBeNull();
  expect(Object.keys(modules)).toEqual(['scalar', 'simd', 'wide', 'upstream']);
  for (const { gzipBytes } of Object.values<{ gzipBytes: number }>(modules)) expect(gzipBytes).toBeLessThan(100 * 1024);
});
