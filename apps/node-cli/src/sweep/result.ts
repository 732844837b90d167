import { crc32 } from 'node:zlib';
import { parseJson } from '@tutti/core/input';
import type { RunResult } from '@tutti/simulation';
import type { InputFile } from '../output/inputs.ts';

/**
 * A line of a sweep's output: the result of a run, with the name of its point. A point yields the same line on every
 * machine.
 */
export interface SweepResult extends RunResult {
  readonly key: string;
  /** Files that the scenario names, with their hashes. */
  readonly inputs?: readonly InputFile[];
}

/** Start of every line of results. It distinguishes an incomplete line from another kind of file. */
export const lineStart = '{"key":"';

export function resultLine(key: string, result: Omit<SweepResult, 'key'>): string {
  const text = JSON.stringify({ key, ...result } satisfies SweepResult);
  return `${text.slice(0, -1)}${crcStart}${crcOf(text)}"}`;
}

/** End of a line, before eight hexadecimal digits: the CRC-32 of the line without this field. */
const crcStart = ',"crc32":"';
const spoiltLine = /":".{8}"\}$/;
const crcAtEnd = /,"crc32":"([0-9a-f]{8})"\}$/;

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/**
 * Returns whether a line is unchanged since it was written. Lines of earlier versions have no checksum, end differently
 * and are accepted. A line with eight other characters at this place, or under another name, had a checksum that was
 * altered.
 */
export function isIntact(line: string): boolean {
  const [end, check] = crcAtEnd.exec(line) ?? [];
  if (end === undefined) return !spoiltLine.test(line);
  return check === crcOf(`${line.slice(0, -end.length)}}`);
}

/**
 * Parses a line of results.
 *
 * @returns undefined for a text that is not a line of results, or was altered.
 */
export function parseResultLine(text: string): SweepResult | undefined {
  if (!isIntact(text)) return undefined;
  let value: Partial<SweepResult> | null;
  try {
    value = parseJson(text) as typeof value;
  } catch {
    return undefined;
  }
  const spreads = [value?.timeToThresholdMs, value?.messagesSent, value?.bytesSent, value?.checked];
  const holds =
    typeof value?.key === 'string' &&
    typeof value.reached === 'number' &&
    typeof value.live === 'number' &&
    spreads.every((spread) => typeof spread?.mean === 'number' && typeof spread.max === 'number');
  return holds ? (value as SweepResult) : undefined;
}
