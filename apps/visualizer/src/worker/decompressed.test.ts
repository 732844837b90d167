import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decompressed } from './decompressed.ts';

it('returns the decompressed data, and refuses truncated data', async () => {
  const content = Uint8Array.from({ length: 1000 }, (_, at) => at);
  const file = gzipSync(content);
  expect(await decompressed(new Blob([file]))).toEqual(content);
  await expect(decompressed(new Blob([file.subarray(0, 50)]))).rejects.toThrow('it is compressed, and not whole');
});

it('refuses a small file that would exceed the memory limit, before decompression', async () => {
  const bomb = gzipSync(new Uint8Array(2 ** 26));
  expect(bomb.length).toBeLessThan(2 ** 17);
  await expect(decompressed(new Blob([bomb]))).rejects.toThrow(/would take more than \d+ bytes/);
});
