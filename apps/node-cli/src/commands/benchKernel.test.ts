import { describe, expect, it, vi } from 'vitest';
import { runMain } from '../../test/runMain.ts';

// Long enough for a busy machine: no test waits for anything.
vi.setConfig({ testTimeout: 240_000 });

const tutti = (...args: string[]) => runMain(args);

describe('tutti bench kernel', () => {
  it('prints a row an operation, with null where a library lacks it', async () => {
    const { code, out, err } = await tutti(
      'bench',
      'kernel',
      '--json',
      '--rounds',
      '1',
      '--only',
      'verify',
      '--only',
      'hash-to-curve',
    );
    expect(code, err).toBe(0);
    const { rows, modules } = JSON.parse(out);
    expect(rows.map(({ operation }: { operation: string }) => operation)).toEqual(['verify', 'hash-to-curve']);
    for (const { ms } of rows) {
      expect(Object.keys(ms)).toEqual(['scalar', 'simd', 'noble', 'herumi', 'native']);
      expect(Math.min(ms.scalar, ms.noble)).toBeGreaterThan(0);
    }
    expect(rows[0].ms.herumi).toBeGreaterThan(0);
    expect(rows[1].ms.herumi).toBeNull();
    for (const { gzipBytes } of [modules.scalar, modules.simd]) expect(gzipBytes).toBeLessThan(100 * 1024);
  });

  it('--only: an unknown operation is a usage error that names them all', async () => {
    const { code, err } = await tutti('bench', 'kernel', '--only', 'pairing');
    expect(code).not.toBe(0);
    expect(err).toMatch(/--only: expected one of key-derivation, .*batch-128.*, got pairing/);
  });
});
