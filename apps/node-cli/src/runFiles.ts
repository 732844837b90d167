import { gunzipSync, gzipSync } from 'node:zlib';
import { EnvironmentError, isObject, parseJson } from '@tutti/core/input';
import {
  decodeRecording,
  encodeRecording,
  type Fault,
  maxRecordingBytes,
  type Recording,
  validateFaults,
} from '@tutti/simulation';
import { readBytes, readInput, writeWhole } from './output/files.ts';
import { counted } from './output/text.ts';

/**
 * Reads a fault plan, which is a JSON list of faults or an object with such a list as its only field `faults`.
 *
 * @param nodes number of nodes N, which limits the node ids.
 * @throws errors of `readNamed`; EnvironmentError `malformed-file`, one line, with the file, the field, its range and
 * the value.
 */
export function readFaults(file: string, nodes: number): readonly Fault[] {
  const parsed = parsedJson(file, readInput(file).text);
  const faults = isObject(parsed) && Object.keys(parsed).join() === 'faults' ? parsed.faults : parsed;
  try {
    validateFaults(faults, nodes);
    return faults;
  } catch (error) {
    throw error instanceof RangeError ? new EnvironmentError('malformed-file', `${file}: ${error.message}`) : error;
  }
}

function parsedJson(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new EnvironmentError('malformed-file', `${file}: expected JSON, got ${(cause as Error).message}`, { cause });
  }
}

/** Words for each counter in a run's `injected`: the name of the counted thing, and the effect of the fault on it. */
const effects: Readonly<Record<string, readonly [thing: string, fate: string]>> = {
  crash: ['node', ' crashed'],
  restart: ['restart', ''],
  pause: ['pause', ''],
  missed: ['message', ' not received because the node was down'],
  partition: ['message', ' cut off'],
  loss: ['message', ' lost'],
  duplication: ['message', ' doubled'],
  reordering: ['message', ' held back'],
  corruption: ['message', ' corrupted'],
  'slow-links': ['message', ' slowed'],
  'slow-nodes': ['verification', ' slowed'],
  skew: ['clock', ' skewed'],
  drift: ['clock', ' drifting'],
};

/** Describes the effects of a fault plan on a run. */
export function injectedLine(injected: Readonly<Record<string, number>>): string {
  const done = Object.entries(effects).filter(([what]) => what in injected);
  if (done.length === 0) return 'faults: the run ended before the first fault';
  return `faults: ${done.map(([what, [thing, fate]]) => counted(injected[what]!, thing) + fate).join(', ')}`;
}

/**
 * Writes a recording, compressed with gzip to about a third of its size. The visualizer also reads compressed
 * recordings.
 *
 * @throws EnvironmentError `cannot-write` or `not-a-file`.
 */
export function writeRecording(path: string, recording: Recording): void {
  writeWhole(path, gzipSync(encodeRecording(recording)));
}

/**
 * Reads a compressed or uncompressed recording.
 *
 * @throws EnvironmentError `cannot-read`, or `not-a-recording` for anything but a complete recording.
 */
export function readRecording(path: string): Recording {
  const bytes = readBytes(path);
  try {
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return decodeRecording(
      isCompressed ? gunzipSync(bytes, { maxOutputLength: maxRecordingBytes(bytes.length) }) : bytes,
    );
  } catch (cause) {
    const { message } = cause as Error;
    throw new EnvironmentError(
      'not-a-recording',
      `${path}: expected a recording of a run, got another file (${message})`,
      {
        cause,
      },
    );
  }
}
