import type { LineKind } from './recording.ts';

/** Integers in a line: time, kind and level, node, peer, value, until, set. */
const width = 7;
const chunkLines = 1 << 14;

/** Collects a run's lines while it goes on: plain integers in chunks, so that a line costs no object and growing copies nothing. */
export class Recorder {
  readonly #chunks: Int32Array[] = [];
  #length = 0;
  readonly #words: Int32Array[] = [];
  #wordCount = 0;

  get length(): number {
    return this.#length;
  }

  line(
    timeUs: number,
    kind: LineKind,
    node: number,
    peer: number,
    level: number,
    value: number,
    untilUs: number,
    set = -1,
  ): void {
    const within = this.#length % chunkLines;
    if (within === 0) this.#chunks.push(new Int32Array(chunkLines * width));
    const chunk = this.#chunks[this.#chunks.length - 1]!;
    const at = within * width;
    chunk[at] = timeUs;
    chunk[at + 1] = (kind << 8) | level;
    chunk[at + 2] = node;
    chunk[at + 3] = peer;
    chunk[at + 4] = value;
    chunk[at + 5] = untilUs;
    chunk[at + 6] = set;
    this.#length++;
  }

  /** Keeps a set's words. @returns where they start. */
  keep(words: Int32Array): number {
    const start = this.#wordCount;
    this.#words.push(words);
    this.#wordCount += words.length;
    return start;
  }

  /** All lines as columns, ready to be handed to another thread. */
  columns(): {
    length: number;
    timeUs: Int32Array;
    kind: Uint8Array;
    node: Int32Array;
    peer: Int32Array;
    level: Uint8Array;
    value: Int32Array;
    untilUs: Int32Array;
    set: Int32Array;
    words: Int32Array;
  } {
    const length = this.#length;
    const kind = new Uint8Array(length);
    const level = new Uint8Array(length);
    for (let line = 0; line < length; line++) {
      const both = this.#at(line, 1);
      kind[line] = both >>> 8;
      level[line] = both & 0xff;
    }
    const words = new Int32Array(this.#wordCount);
    let at = 0;
    for (const part of this.#words) {
      words.set(part, at);
      at += part.length;
    }
    return {
      length,
      timeUs: this.#column(0),
      kind,
      node: this.#column(2),
      peer: this.#column(3),
      level,
      value: this.#column(4),
      untilUs: this.#column(5),
      set: this.#column(6),
      words,
    };
  }

  #at(line: number, field: number): number {
    return this.#chunks[Math.floor(line / chunkLines)]![(line % chunkLines) * width + field]!;
  }

  #column(field: number): Int32Array {
    return Int32Array.from({ length: this.#length }, (_, line) => this.#at(line, field));
  }
}
