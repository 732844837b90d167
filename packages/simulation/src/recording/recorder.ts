import { LineKind, type RecordedLines } from './recording.ts';

/**
 * Number of integers of a line: time; kind, level and node; peer; value; and `set` on `improve` lines, `untilUs` on all
 * others.
 */
const width = 5;
const chunkLines = 1 << 14;
const chunkWords = 1 << 14;
const nodeBits = 20;
const levelBits = 5;

/**
 * Collects a run's lines as integers in chunks, so that a line needs no object and growth copies nothing.
 *
 * A line takes 20 bytes here and 26 bytes as columns. After the recording was made, a run takes 46 bytes per line for
 * as long as the recorder exists. Most lines are sends; docs/reference/recording-format.md has the sizes of runs with
 * and without them.
 */
export class Recorder {
  readonly #lines = new Chunks(chunkLines * width);
  #chunk = new Int32Array(0);
  #within = chunkLines;
  #length = 0;
  readonly #words = new Chunks(chunkWords);
  #wordCount = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Appends a line. @param set only for `improve` lines, which have no `untilUs`. @returns the line's place, for
   * {@link setValue}.
   */
  line(
    timeUs: number,
    kind: LineKind,
    node: number,
    peer: number,
    level: number,
    value: number,
    untilUs: number,
    set = -1,
  ): number {
    if (this.#within === chunkLines) {
      this.#chunk = this.#lines.add();
      this.#within = 0;
    }
    const chunk = this.#chunk;
    const at = this.#within++ * width;
    chunk[at] = timeUs;
    chunk[at + 1] = (((kind << levelBits) | level) << nodeBits) | node;
    chunk[at + 2] = peer;
    chunk[at + 3] = value;
    // An end beyond 32 bits is after the run.
    chunk[at + 4] = kind === LineKind.improve ? set : Math.min(untilUs, 0x7fffffff);
    return this.#length++;
  }

  /** Changes the value of a line that was written before its value was known. */
  setValue(line: number, value: number): void {
    this.#lines.all[Math.floor(line / chunkLines)]![(line % chunkLines) * width + 3] = value;
  }

  /** Stores a copy of a set's words. @returns the index of the first word. */
  keep(words: Int32Array): number {
    const start = this.#wordCount;
    for (let from = 0; from < words.length; ) {
      const within = this.#wordCount % chunkWords;
      const chunk = within === 0 ? this.#words.add() : this.#words.last();
      const part = words.subarray(from, from + chunkWords - within);
      chunk.set(part, within);
      from += part.length;
      this.#wordCount += part.length;
    }
    return start;
  }

  /** Returns all lines so far as columns, which can be transferred to another thread. */
  columns(): RecordedLines {
    const length = this.#length;
    const timeUs = new Int32Array(length);
    const kind = new Uint8Array(length);
    const node = new Int32Array(length);
    const peer = new Int32Array(length);
    const level = new Uint8Array(length);
    const value = new Int32Array(length);
    const untilUs = new Int32Array(length);
    const set = new Int32Array(length);
    let line = 0;
    for (const chunk of this.#lines.all) {
      const end = Math.min(length, line + chunkLines);
      for (let at = 0; line < end; line++, at += width) {
        const head = chunk[at + 1]!;
        const what = head >>> (nodeBits + levelBits);
        const last = chunk[at + 4]!;
        timeUs[line] = chunk[at]!;
        kind[line] = what;
        node[line] = head & ((1 << nodeBits) - 1);
        peer[line] = chunk[at + 2]!;
        level[line] = (head >>> nodeBits) & ((1 << levelBits) - 1);
        value[line] = chunk[at + 3]!;
        untilUs[line] = what === LineKind.improve ? -1 : last;
        set[line] = what === LineKind.improve ? last : -1;
      }
    }
    const words = new Int32Array(this.#wordCount);
    let from = 0;
    for (const chunk of this.#words.all) {
      words.set(chunk.subarray(0, words.length - from), from);
      from += chunk.length;
    }
    return { length, timeUs, kind, node, peer, level, value, untilUs, set, words };
  }
}

/** Arrays of equal length, allocated when they are needed. */
class Chunks {
  readonly all: Int32Array<ArrayBuffer>[] = [];
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  add(): Int32Array<ArrayBuffer> {
    const chunk = new Int32Array(this.#length);
    this.all.push(chunk);
    return chunk;
  }

  last(): Int32Array<ArrayBuffer> {
    return this.all[this.all.length - 1]!;
  }
}
