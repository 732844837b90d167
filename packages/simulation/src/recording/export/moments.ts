import type { Recording } from '../recording.ts';

/**
 * Iterates over a recording in order of time: over each line's beginning, and over the end of each line that has an end
 * (the arrival of a message, the end of a check). A recording is sorted by the beginnings only, but a reader of a trace
 * needs both beginnings and ends.
 *
 * At the same microsecond, ends come before beginnings, so the arrival of a message comes before the receiver's
 * reaction. Ends after the last line are omitted, because the run had already ended.
 */
export class Moments {
  readonly #recording: Recording;
  readonly #ends: Int32Array;
  #nextLine = 0;
  #nextEnd = 0;
  /** Line that begins or ends at this moment. */
  line = -1;
  isEnd = false;
  timeUs = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#ends = linesByEnd(recording);
  }

  /** Advances to the next moment. @returns false if there is no further moment. */
  next(): boolean {
    const { timeUs, untilUs, length } = this.#recording;
    const end = this.#ends[this.#nextEnd];
    this.isEnd = end !== undefined && (this.#nextLine === length || untilUs[end]! <= timeUs[this.#nextLine]!);
    if (this.isEnd) {
      this.line = end!;
      this.timeUs = untilUs[end!]!;
      this.#nextEnd++;
      return true;
    }
    if (this.#nextLine === length) return false;
    this.line = this.#nextLine++;
    this.timeUs = timeUs[this.line]!;
    return true;
  }
}

/**
 * Returns the lines that end at or before the time of the last line, sorted by end time and then by line number. A
 * radix sort, because there may be tens of millions of lines.
 */
function linesByEnd({ length, timeUs, untilUs }: Recording): Int32Array {
  const endUs = timeUs[length - 1] ?? -1;
  let count = 0;
  for (let line = 0; line < length; line++) if (untilUs[line]! >= 0 && untilUs[line]! <= endUs) count++;
  const lines = new Int32Array(count);
  let at = 0;
  for (let line = 0; line < length; line++) if (untilUs[line]! >= 0 && untilUs[line]! <= endUs) lines[at++] = line;
  return sortedBy16Bits(sortedBy16Bits(lines, untilUs, 0), untilUs, 16);
}

function sortedBy16Bits(lines: Int32Array, key: Int32Array, shift: number): Int32Array {
  const place = new Int32Array((1 << 16) + 1);
  for (const line of lines) place[((key[line]! >>> shift) & 0xffff) + 1]!++;
  for (let digit = 0; digit < 1 << 16; digit++) place[digit + 1]! += place[digit]!;
  const sorted = new Int32Array(lines.length);
  for (const line of lines) sorted[place[(key[line]! >>> shift) & 0xffff]!++] = line;
  return sorted;
}
