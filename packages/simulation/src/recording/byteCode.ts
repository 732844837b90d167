import { expected } from '@tutti/core/input';

/** Writes bytes into an array that doubles in size when full. All numbers are little-endian on every machine. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes the low 32 bits of `value` as 4 bytes. */
  uint32(value: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#grow(4);
    const bytes = this.#bytes;
    const at = this.#length;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
    this.#length = at + 4;
  }

  /**
   * Writes an integer from 0 to 2^53 - 1 in groups of 7 bits, lowest first, with the high bit set on all bytes except
   * the last (LEB128): 1 to 8 bytes.
   */
  varint(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    const bytes = this.#bytes;
    let at = this.#length;
    let left = value;
    while (left >= 2 ** 31) {
      bytes[at++] = (left % 128) | 0x80;
      left = Math.floor(left / 128);
    }
    while (left >= 0x80) {
      bytes[at++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    bytes[at++] = left;
    this.#length = at;
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /**
   * Returns the bytes written since the last call, without a copy. The returned bytes are valid until the next write.
   */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/**
 * Encoding of a recording's column as bytes. Varints are groups of 7 bits, lowest group first. All other numbers are
 * little-endian too.
 *
 * | code | column | bytes |
 * |---|---|---|
 * | `bytes` | Uint8Array | unchanged |
 * | `words` | Int32Array | 4 bytes per entry |
 * | `floats` | Float32Array | IEEE 754, 4 bytes per entry |
 * | `signed` | Int32Array | varint of (v << 1) ^ (v >> 31) |
 * | `ascending` | Int32Array | varint of the difference from the previous entry, 0 before the first |
 * | `after` | Int32Array | varint: 0 for -1, otherwise 1 + the difference from the same entry of the time column |
 * | `places` | Int32Array | varint: 0 for -1, otherwise 1 + the difference from the last entry other than -1, 0 before the first |
 */
export type ColumnCode = 'bytes' | 'words' | 'floats' | 'signed' | 'ascending' | 'after' | 'places';

/** Values of a column, in the array that its {@link ColumnCode} requires. */
export type Column = Uint8Array | Int32Array | Float32Array;

/** Encodes a column. @throws RangeError for a column that its code cannot represent. */
export function encodeColumn(
  name: string,
  code: ColumnCode,
  column: Column,
  timeUs: Int32Array,
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(column.length * (code === 'bytes' ? 1 : 4) + 16);
  switch (code) {
    case 'bytes':
      out.append(column as Uint8Array);
      break;
    case 'words':
      for (const word of column) out.uint32(word);
      break;
    case 'floats': {
      const view = new DataView(new ArrayBuffer(4));
      for (const value of column) {
        view.setFloat32(0, value, true);
        out.uint32(view.getUint32(0, true));
      }
      break;
    }
    case 'signed':
      for (const value of column) out.varint(((value << 1) ^ (value >> 31)) >>> 0);
      break;
    case 'ascending': {
      let before = 0;
      for (const value of column) {
        if (value < before) throw new RangeError(expected(name, `at least ${before}, the previous value`, value));
        out.varint(value - before);
        before = value;
      }
      break;
    }
    case 'after':
      for (let at = 0; at < column.length; at++) {
        const value = column[at]!;
        const from = timeUs[at]!;
        if (value !== -1 && value < from) throw new RangeError(expected(name, `-1 or at least ${from}`, value));
        out.varint(value === -1 ? 0 : value - from + 1);
      }
      break;
    case 'places': {
      let before = 0;
      for (const value of column) {
        if (value !== -1 && value < before) throw new RangeError(expected(name, `-1 or at least ${before}`, value));
        out.varint(value === -1 ? 0 : value - before + 1);
        if (value !== -1) before = value;
      }
      break;
    }
  }
  return out.take();
}

const largest = 2 ** 31 - 1;

/**
 * Decodes a column. @param bytes exactly the column's bytes.
 * @param timeUs the time column, for `after`.
 * @throws RangeError if the bytes do not contain exactly `count` entries.
 */
export function decodeColumn(
  name: string,
  code: ColumnCode,
  count: number,
  bytes: Uint8Array,
  timeUs: Int32Array,
): Column {
  if (code === 'bytes') {
    requireBytes(name, bytes, count);
    return bytes.slice();
  }
  if (code === 'words' || code === 'floats') {
    requireBytes(name, bytes, 4 * count);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (code === 'floats') return Float32Array.from({ length: count }, (_, at) => view.getFloat32(4 * at, true));
    const words = new Int32Array(count);
    for (let at = 0; at < count; at++) words[at] = view.getInt32(4 * at, true);
    return words;
  }
  // A varint has at least one byte, so a false count cannot make an array larger than four times the file.
  if (count > bytes.length) throw new RangeError(expected(name, `at least ${count} bytes`, bytes.length));
  const column = new Int32Array(count);
  let from = 0;
  let before = 0;
  for (let at = 0; at < count; at++) {
    let read = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = bytes[from++] ?? 0xff;
      read += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80 && scale < 2 ** 35);
    if (byte >= 0x80 || read >= 2 ** 32)
      throw new RangeError(expected(name, 'varints of at most 32 bits', `byte ${from}`));
    if (code === 'signed') {
      column[at] = (read >>> 1) ^ -(read & 1);
      continue;
    }
    let value = read - 1;
    if (code === 'ascending') value = before = before + read;
    else if (read > 0 && code === 'after') value += timeUs[at]!;
    else if (read > 0) value = before = before + read - 1;
    if (value > largest) throw new RangeError(expected(name, `at most ${largest}`, value));
    column[at] = value;
  }
  requireBytes(name, bytes, from);
  return column;
}

function requireBytes(name: string, bytes: Uint8Array, count: number): void {
  if (bytes.length !== count) throw new RangeError(expected(name, `${count} bytes`, bytes.length));
}
