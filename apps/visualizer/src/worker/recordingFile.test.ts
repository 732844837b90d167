import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { recordedRun, sizes } from '../../test/recordedRun.ts';
import { Assembly, decompressed } from './recordingFile.ts';
import { piecesOf, restOf } from './runTasks.ts';

it.each(sizes)('splits a recording of %i nodes and joins it again', (nodes) => {
  const recording = recordedRun({ nodes, dead: nodes > 12 ? 0.2 : 0 });
  const assembly = new Assembly();
  for (const piece of piecesOf(recording, 1000)) {
    expect(piece.part.byteLength).toBeLessThanOrEqual(1000);
    assembly.add(structuredClone(piece, { transfer: [piece.part.buffer] }));
  }
  expect(assembly.whole(structuredClone(restOf(recording)))).toEqual(recording);
});

it('returns the decompressed data, and refuses truncated data', async () => {
  const content = Uint8Array.from({ length: 1000 }, (_, at) => at);
  const file = gzipSync(content);
  expect(await decompressed(new Blob([file]))).toEqual(content);
  await expect(decompressed(new Blob([file.subarray(0, 50)]))).rejects.toThrow(
    'it is compressed, and incomplete or damaged',
  );
});

it('refuses a small file that would exceed the memory limit, before decompression', async () => {
  const bomb = gzipSync(new Uint8Array(2 ** 26));
  expect(bomb.length).toBeLessThan(2 ** 17);
  await expect(decompressed(new Blob([bomb]))).rejects.toThrow(/content exceeds \d+ bytes/);
});
