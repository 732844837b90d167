import { decodeRecording } from '@tutti/simulation';
import { runIndex } from '../timeline/runIndex.ts';
import { answerTasks, buffersOf, Transferred } from './answerTasks.ts';
import { decompressed } from './decompressed.ts';
import type { FinishedRun } from './messages.ts';
import { messageOf } from './task.ts';

/** First bytes of a gzip file. */
const gzipMagic = [0x1f, 0x8b] as const;

answerTasks<File, FinishedRun>(async (file) => {
  try {
    const index = runIndex(decodeRecording(await bytesOf(file)), true);
    return new Transferred({ index, output: undefined, curve: undefined }, buffersOf(index));
  } catch (error) {
    throw new Error(`${shortName(file)} cannot be shown: ${messageOf(error)}`, { cause: error });
  }
});

/** Returns the bytes of a file, decompressed if it is compressed. */
async function bytesOf(file: File): Promise<Uint8Array> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isCompressed = gzipMagic.every((byte, at) => start[at] === byte);
  if (!isCompressed) return new Uint8Array(await file.arrayBuffer());
  return decompressed(file);
}

function shortName(file: File): string {
  return file.name.length > 40 ? `${file.name.slice(0, 37)}…` : file.name;
}
