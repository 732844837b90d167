import { decodeRecording, encodeRecording, type Recording } from '@tutti/simulation';
import { runIndex } from '../timeline/runIndex.ts';
import { Assembly, decompressed } from './recordingFile.ts';
import type { FinishedRun, SaveRequest } from './runTasks.ts';
import { answerTasks, buffersOf, messageOf, Transferred } from './task.ts';

/** First bytes that identify a gzip file. */
const gzipMagic = [0x1f, 0x8b] as const;

const assembly = new Assembly();

/**
 * Reads a file and answers with the file's run, or assembles a recording from pieces and answers the last request with
 * a file and each other request with undefined.
 */
answerTasks<File | SaveRequest, FinishedRun | Blob | undefined>(async (request) => {
  if (request instanceof File) return opened(request);
  if (request.kind === 'end') return written(request.rest);
  assembly.add(request.piece);
  return undefined;
});

async function opened(file: File): Promise<Transferred<FinishedRun>> {
  try {
    const index = runIndex(decodeRecording(await bytesOf(file)), true);
    return new Transferred({ index, output: undefined, curve: undefined }, buffersOf(index));
  } catch (error) {
    const name = file.name.length > 40 ? `${file.name.slice(0, 37)}…` : file.name;
    throw new Error(`${name} cannot be shown: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the bytes of a file, decompressed if necessary. */
async function bytesOf(file: File): Promise<Uint8Array> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isCompressed = gzipMagic.every((byte, at) => start[at] === byte);
  return isCompressed ? decompressed(file) : new Uint8Array(await file.arrayBuffer());
}

/** Returns the assembled recording as a file, in the compressed format of `tutti simulate --record`. */
function written(rest: Partial<Recording>): Promise<Blob> {
  const plain = new Blob([encodeRecording(assembly.whole(rest))]).stream();
  return new Response(plain.pipeThrough(new CompressionStream('gzip'))).blob();
}
