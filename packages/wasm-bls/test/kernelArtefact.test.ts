import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { kernelFolder, staleness } from '../scripts/kernel-source.mjs';

test('the committed kernel is the one that its sources ask for', () => {
  expect(staleness()).toBeUndefined();
});

test.each(['tutti_bls_bg.wasm', 'tutti_bls_simd_bg.wasm', 'tutti_bls_wide_bg.wasm'])(
  '%s takes less than 100 KB to download, gzipped',
  (name) => {
    expect(gzipSync(readFileSync(join(kernelFolder, name))).length).toBeLessThan(100_000);
  },
);
