import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KERNELS, kernelFolder, staleness } from '../scripts/kernel-source.mjs';
import { arithmetics } from '../src/arithmetic.ts';

test('the committed kernel is the one that its sources ask for', () => {
  expect(staleness()).toBeUndefined();
});

test.each(Object.entries(KERNELS))('the %s kernel takes less than 100 KB to download, gzipped', (_, name) => {
  expect(gzipSync(readFileSync(join(kernelFolder, name))).length).toBeLessThan(100_000);
});

test('each arithmetic that can be asked for has a kernel, and each kernel an arithmetic', () => {
  expect(Object.keys(KERNELS)).toEqual([...arithmetics]);
});
