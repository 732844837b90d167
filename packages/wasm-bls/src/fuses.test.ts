import { expect, test } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { inNewNode } from '../test/packageCopy.ts';

/** Returns the output of a program, or undefined if Node does not support one of the flags. */
function printed(program: string, ...flags: string[]): string | undefined {
  const { status, stdout, stderr } = inNewNode(program, undefined, flags);
  if (status === 9) return undefined;
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim();
}

test('a program can force the kernel without SIMD, and not change this later', () => {
  const program = `
    import { loadBls } from '@tutti/wasm-bls';
    await loadBls({ arithmetic: 'scalar' });
    await loadBls();
    console.log((await loadBls({ arithmetic: 'simd' }).catch((error) => error)).message);
  `;
  expect(printed(program)).toBe('arithmetic: expected scalar, as this thread has started, got simd');
});

const field = `
  import { loadBls } from '@tutti/wasm-bls';
  import { fuses } from './dist/fuses.js';
  import { cyclotomicCheck, fieldCheck, kernelAnswer, limits, operations, towerEdgesCheck } from './test/field.mjs';
  import { drawing, fuzz } from './test/fuzz.mjs';
  import assert from 'node:assert/strict';
  if (await fuses()) {
    const [kernel, noble] = [await loadBls({ arithmetic: 'simd' }), await loadBls({ engine: 'noble' })];
    for (const { name, expected } of operations.filter(({ name }) => name === 'mul' || name === 'sqr'))
      for (const [i, a] of limits.entries())
        for (const step of [0, 1, 7, 31, 64]) {
          const b = limits[(i + step) % limits.length];
          for (const [x, y] of [[[a, b], [b, a]], [[a, a], [b, b]], [[b, limits[0]], [a, b]]])
            assert.deepEqual(kernelAnswer(name, x, y), expected(x, y));
        }
    towerEdgesCheck();
    const draw = drawing(7);
    for (let i = 0; i < 4; i++) cyclotomicCheck(draw);
    for (let i = 0; i < 300; i++) fieldCheck(draw);
    fuzz({ kernel, noble, field: fieldCheck, inputs: 200, seed: 3, compared: 4 });
    console.log('right');
  } else console.log('does not fuse');
`;

test.runIf(isWhole)('with relaxed SIMD behind a flag, its kernel is correct for the field and unusual inputs', () => {
  expect([undefined, 'right', 'does not fuse']).toContain(printed(field, '--experimental-wasm-relaxed-simd'));
});
