import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { KERNELS } from '../../scripts/kernel-source.mjs';
import { arithmetics } from '../../src/arithmetic.ts';
import { bundledSuite, inNode } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tutti-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'suite.mjs');

test.runIf(isWhole)('the compliance suite is one module, and this Node passes it on all its kernels', async () => {
  writeFileSync(file, await bundledSuite());
  for (const arithmetic of arithmetics) {
    const { passed, failed } = inNode(process.execPath, file, arithmetic);
    // Some engines lack the extensions of WebAssembly that these two kernels require.
    if (passed === undefined && (arithmetic === 'simd' || arithmetic === 'wide')) continue;
    expect(failed, arithmetic).toEqual([]);
    expect(passed, arithmetic).toBeGreaterThan(150);
  }
});

test('the suite runs on the kernels of another folder, such as those of a build', async () => {
  writeFileSync(file, await bundledSuite());
  writeFileSync(join(folder, KERNELS.scalar), 'no kernel');
  expect(() => inNode(process.execPath, file, 'scalar', folder)).toThrow(/kernel-rejected/);
});

test('a failed test is reported by name', async () => {
  const { describe, expect: expected, runTests, test: tested } = await import('./harness.ts');
  describe('a group', () => {
    tested('passes', () => expected(1).toBe(1));
    tested.each([
      [1, 2],
      [3, 3],
    ])('compares', (a, b) => expected(a).toBe(b));
  });
  expect(await runTests()).toEqual({
    passed: 2,
    failed: ['a group > compares [0]: expected 1 to be 2 // Object.is equality'],
  });
});
