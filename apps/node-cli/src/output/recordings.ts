import { gunzipSync, gzipSync } from 'node:zlib';
import { WorldError } from '@tutti/core/input';
import { decodeRecording, encodeRecording, maxRecordingBytes, type Recording } from '@tutti/simulation';
import { readBytes, writeWhole } from './files.ts';

/**
 * Writes a recording, compressed with gzip to about a third of its size. The visualizer reads this form too.
 *
 * @throws WorldError `cannot-write`.
 */
export function writeRecording(path: string, recording: Recording): void {
  writeWhole(path, gzipSync(encodeRecording(recording)));
}

/**
 * Reads a recording, compressed or not.
 *
 * @throws WorldError `cannot-read`, or `not-a-recording` for anything but a complete recording.
 */
export function readRecording(path: string): Recording {
  const bytes = readBytes(path);
  try {
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return decodeRecording(
      isCompressed ? gunzipSync(bytes, { maxOutputLength: maxRecordingBytes(bytes.length) }) : bytes,
    );
  } catch (cause) {
    throw new WorldError('not-a-recording', `${path}: is not a recording of a run; ${(cause as Error).message}`, {
      cause,
    });
  }
}
