import { decodeRecording } from '@tutti/core/simulation';
import { runIndex } from '../timeline/runIndex.ts';
import { buffersOf } from './buffers.ts';
import { decompressed } from './decompressed.ts';
import type { OpenRequest, RunReport } from './messages.ts';

/** What a gzip file begins with. */
const gzipMagic = [0x1f, 0x8b] as const;

self.onmessage = async ({ data }: MessageEvent<OpenRequest>) => {
  try {
    const recording = decodeRecording(await bytesOf(data.file));
    const index = runIndex(recording, true);
    report({ kind: 'done', run: { index, output: undefined, curve: undefined } }, buffersOf(index));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    report({ kind: 'failed', message: `${shortName(data.file)} cannot be shown: ${why}` });
  }
};

/** The file's bytes, decompressed where it is compressed. */
async function bytesOf(file: File): Promise<Uint8Array> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isCompressed = gzipMagic.every((byte, at) => start[at] === byte);
  if (!isCompressed) return new Uint8Array(await file.arrayBuffer());
  return decompressed(file);
}

function shortName(file: File): string {
  return file.name.length > 40 ? `${file.name.slice(0, 37)}…` : file.name;
}

function report(message: RunReport, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}
