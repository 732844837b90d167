import { expected } from '@tutti/core/input';
import { ByteWriter } from './byteWriter.ts';

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

/**
 * Encodes a column.
 *
 * @param timeUs the time column, for `after`.
 * @throws RangeError for a column that its code cannot represent.
 */
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
        if (value < before) throw new RangeError(expected(name, `at least ${before}, in ascending order`, value));
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

const maxInt32 = 2 ** 31 - 1;

/**
 * Decodes a column.
 *
 * @param timeUs the time column, for `after`.
 * @throws RangeError if the bytes do not contain exactly `count` valid entries.
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
    if (value > maxInt32) throw new RangeError(expected(name, `at most ${maxInt32}`, value));
    column[at] = value;
  }
  requireBytes(name, bytes, from);
  return column;
}

function requireBytes(name: string, bytes: Uint8Array, count: number): void {
  if (bytes.length !== count) throw new RangeError(expected(name, `${count} bytes`, bytes.length));
}
