import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KERNELS, kernelFolder, staleness } from '../scripts/kernel-source.mjs';
import { arithmetics } from '../src/arithmetic.ts';
import { inlined } from '../src/inlined.ts';

test('the committed kernel matches its sources', () => expect(staleness()).toBeUndefined());

test.each(Object.entries(KERNELS))('the %s kernel has less than 100 KB, gzipped', (_, name) => {
  expect(gzipSync(readFileSync(join(kernelFolder, name))).length).toBeLessThan(100_000);
});

test('each selectable arithmetic has a kernel, and each kernel an arithmetic', () => {
  expect(Object.keys(KERNELS)).toEqual([...arithmetics]);
});

test.each(arithmetics)('the text of the %s kernel in the code equals its file byte for byte', async (arithmetic) => {
  const file = readFileSync(join(kernelFolder, KERNELS[arithmetic]));
  expect(Buffer.from(await inlined(arithmetic)).equals(file), 'run scripts/kernel-glue.mjs').toBe(true);
});
