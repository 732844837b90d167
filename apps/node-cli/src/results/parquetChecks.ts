import type { ColumnMetaData, Compressors, PageHeader, SchemaTree } from 'hyparquet';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';
import { readVarInt } from 'hyparquet/src/thrift.js';

/*
 * Checks the sizes from which hyparquet allocates memory without its own check: lengths of lists, and lengths of runs.
 */

/**
 * Compact types of Thrift whose values are skipped in different ways. All other types are encoded as integers with
 * seven bits per byte.
 */
const type = { true: 1, false: 2, byte: 3, double: 7, binary: 8, list: 9, struct: 12 } as const;

/** Maximum length of an encoded 64-bit integer, bytes. */
const maxIntegerBytes = 10;

/** Maximum nesting depth of structures; Parquet has no deeper nesting. */
const maxDepth = 12;

/**
 * Checks a Thrift structure as hyparquet reads it: no list may claim more elements than bytes remain.
 *
 * @throws Error for a list that claims more elements than bytes remain, for a list of lists, for structures nested too
 * deeply, and for an integer of more than 64 bits.
 */
export function requireThrift(view: DataView, from: number): void {
  const reader = { view, offset: from };
  const skip = (of: number, depth: number): void => {
    if (depth > maxDepth) throw new Error('structures nested too deeply');
    if (of === type.byte) reader.offset += 1;
    else if (of === type.double) reader.offset += 8;
    else if (of === type.binary) {
      const length = readVarInt(reader) >>> 0;
      reader.offset += length;
    } else if (of === type.list) skipList(depth);
    else if (of === type.struct) skipStruct(depth + 1);
    else if (of !== type.true && of !== type.false) skipInteger();
  };
  const skipInteger = (): void => {
    const end = reader.offset + maxIntegerBytes;
    readVarInt(reader);
    if (reader.offset > end) throw new Error('an integer of more than 64 bits');
  };
  const skipList = (depth: number): void => {
    const head = view.getUint8(reader.offset++);
    const of = head & 15;
    const size = head >>> 4 === 15 ? readVarInt(reader) >>> 0 : head >>> 4;
    if (of === type.list || size > view.byteLength - reader.offset)
      throw new Error('a list with more elements than remaining bytes');
    for (let i = 0; i < size; i++) skip(of === type.true || of === type.false ? type.byte : of, depth);
  };
  const skipStruct = (depth: number): void => {
    for (;;) {
      const head = view.getUint8(reader.offset++);
      if ((head & 15) === 0) return;
      if (head >>> 4 === 0) skipInteger();
      skip(head & 15, depth);
    }
  };
  skipStruct(0);
}

/**
 * Checks the runs of a data page as hyparquet reads them: a run must not have more values than remain in the page.
 * Accepts pages that contain no data.
 *
 * @param bytes bytes of the page as stored in the file.
 * @param path path of the column in the schema.
 * @throws Error for a run with too many values, for more nulls than values, and for the encoding DELTA_BYTE_ARRAY, in
 * which each value can repeat the previous one.
 */
export function requireRuns(
  header: PageHeader,
  bytes: Uint8Array,
  { codec, type: kind }: ColumnMetaData,
  path: SchemaTree[],
  compressors: Compressors,
): void {
  const { data_page_header: one, data_page_header_v2: two } = header;
  const head = header.type === 'DATA_PAGE' ? one : header.type === 'DATA_PAGE_V2' ? two : undefined;
  if (head === undefined) return;
  const { encoding, num_values: values } = head;
  if (encoding === 'DELTA_BYTE_ARRAY') throw new Error('a column in the unsupported encoding DELTA_BYTE_ARRAY');
  const levels = [getMaxRepetitionLevel(path), getMaxDefinitionLevel(path)] as const;
  const plainBytes = Number(header.uncompressed_page_size);
  let page = viewOf(bytes);
  let at = 0;
  if (head === two) {
    const { repetition_levels_byte_length: first, definition_levels_byte_length: second, num_nulls } = two!;
    if (!(num_nulls >= 0 && num_nulls <= (levels[1] === 0 ? 0 : values))) throw new Error('more nulls than values');
    if (levels[0] > 0) requireShortRuns(page, 0, widthOf(levels[0]), values);
    if (levels[1] > 0) requireShortRuns(page, first, widthOf(levels[1]), values);
    const packed = bytes.subarray(first + (levels[1] > 0 ? second : 0));
    page = viewOf(
      two!.is_compressed === false ? packed : decompressPage(packed, plainBytes - first - second, codec, compressors),
    );
  } else {
    page = viewOf(decompressPage(bytes, plainBytes, codec, compressors));
    for (const level of levels) {
      if (level === 0) continue;
      requireShortRuns(page, at + 4, widthOf(level), values);
      at += 4 + page.getUint32(at, true);
    }
  }
  if (encoding === 'RLE' && (head === two || kind === 'BOOLEAN')) requireShortRuns(page, at + 4, 1, values);
  else if (/^RLE$|DICTIONARY$/.test(encoding) && at < page.byteLength)
    requireShortRuns(page, at + 1, page.getUint8(at), values);
}

/**
 * Maximum number of values that pad the last packed run: the length of a run is a multiple of 8 values, or of 256
 * values in files from DuckDB. Padding values are not stored.
 */
const maxPadding = 255;

/** Checks the runs of encoded levels or values. @param width bits per value. @param values number of values. */
function requireShortRuns(view: DataView, from: number, width: number, values: number): void {
  const reader = { view, offset: from };
  for (let seen = 0; seen < values && reader.offset < view.byteLength; ) {
    const head = readVarInt(reader) >>> 0;
    const isPacked = (head & 1) === 1;
    const count = (head >>> 1) * (isPacked ? 8 : 1);
    if (count > values - seen + (isPacked ? maxPadding : 0)) throw new Error('a run with more values than its page');
    reader.offset += isPacked ? Math.max(1, (head >>> 1) * width) : (width + 7) >>> 3;
    seen += count;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the number of bits that the largest level needs. */
function widthOf(level: number): number {
  return 32 - Math.clz32(level);
}
