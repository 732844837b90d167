import { decodeRecording } from '@tutti/core';
import { buffersOf } from './buffers.ts';
import type { OpenRequest, RunReport } from './messages.ts';

/** The page draws a shape a node; beyond this many a browser is busy for minutes. */
const mostNodes = 16_384;
/** What a gzip file begins with. */
const gzipMagic = [0x1f, 0x8b] as const;

self.onmessage = async ({ data }: MessageEvent<OpenRequest>) => {
  try {
    const recording = decodeRecording(await bytesOf(data.file));
    const { nodes } = recording.scenario;
    if (nodes > mostNodes) throw new RangeError(`it has ${nodes} nodes; this page draws up to ${mostNodes}`);
    report({ kind: 'done', run: { recording, output: undefined, curve: undefined } }, buffersOf(recording));
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
  try {
    const plain = file.stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch {
    throw new RangeError('it is compressed, and not whole');
  }
}

function shortName(file: File): string {
  return file.name.length > 40 ? `${file.name.slice(0, 37)}…` : file.name;
}

function report(message: RunReport, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}
