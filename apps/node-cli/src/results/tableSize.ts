import { type ColumnMetaData, type Compressors, parquetMetadata, parquetSchema, type SchemaTree } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import { counted, grouped } from '../output/text.ts';
import { requireRuns, requireThrift } from './parquetChecks.ts';

/** Maximum number of columns in a table that can be read; a sweep writes fewer columns. */
export const maxColumns = 4096;
/** Maximum number of cells of a table that can be read: rows times columns, more than a sweep of a million runs has. */
export const maxCells = 2 ** 26;

/** Error for a table that is too large to read. The message is a noun phrase that describes the table's size. */
export class TooLargeTable extends Error {}

/**
 * Checks a table's size before any memory is allocated.
 *
 * @throws TooLargeTable.
 */
export function requireTableSize(columns: number, rows: number): void {
  if (columns > maxColumns)
    throw new TooLargeTable(`${counted(columns, 'column')}; at most ${grouped(maxColumns)} can be read`);
  if (columns * rows > maxCells)
    throw new TooLargeTable(`${counted(columns * rows, 'cell')}; at most ${grouped(maxCells)} can be read`);
}

/**
 * Checks the headers of a Parquet file, because a few bytes can claim that a column has millions of values. All pages
 * of a column chunk together must have at most as many values as the group has rows, and a group must have at most as
 * many rows as the file. The pages' uncompressed sizes must be possible with their compression.
 *
 * @throws TooLargeTable; Error for a file that is not a flat table, or is damaged.
 */
export function requireParquetSize(file: ArrayBuffer, compressors: Compressors): void {
  const view = new DataView(file);
  requireThrift(view, view.byteLength - 8 - view.getUint32(view.byteLength - 8, true));
  const metadata = parquetMetadata(file);
  const { num_rows, row_groups, schema } = metadata;
  requireTableSize(schema.length - 1, Number(num_rows));
  const room = { plainBytes: maxPlainBytes };
  for (const group of row_groups)
    for (const { meta_data: chunk } of group.columns) {
      if (chunk === undefined) throw new Error('a column without its data');
      const rows = Number(group.num_rows);
      if (group.num_rows > num_rows) throw new TooLargeTable('a group with more rows than the file');
      const from = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
      const ratio = maxRatio[chunk.codec];
      if (ratio === undefined) throw new Error(`parquet unsupported compression codec: ${chunk.codec}`);
      const path = getTreePath(parquetSchema(metadata), chunk.path_in_schema);
      const pages = [from, from + Number(chunk.total_compressed_size)] as const;
      requirePages(file, pages, { rows, ratio, room, chunk, path, compressors });
    }
}

/**
 * Maximum compression ratios. Snappy encodes a copy of 64 bytes in three bytes. With the other compressions, a few
 * bytes can expand to fill the memory, so their pages share the memory limit of a table.
 */
const maxRatio: Readonly<Record<string, number>> = {
  SNAPPY: 24,
  UNCOMPRESSED: 24,
  ZSTD: Number.POSITIVE_INFINITY,
  GZIP: Number.POSITIVE_INFINITY,
  BROTLI: Number.POSITIVE_INFINITY,
};
/** Maximum total uncompressed size of the pages of a table whose ratio is not limited, bytes. */
const maxPlainBytes = 2 ** 28;

/** Column that pages belong to, and the memory that the pages may use. */
interface PagesOf {
  /** Maximum total number of values in the pages. */
  readonly rows: number;
  /** Maximum ratio of a page's uncompressed size to its stored size. */
  readonly ratio: number;
  /** Remaining number of uncompressed bytes for those of the table's pages whose ratio is not limited. */
  readonly room: { plainBytes: number };
  readonly chunk: ColumnMetaData;
  readonly path: SchemaTree[];
  readonly compressors: Compressors;
}

function requirePages(
  file: ArrayBuffer,
  [from, to]: readonly [number, number],
  { rows, ratio, room, chunk, path, compressors }: PagesOf,
): void {
  const reader = { view: new DataView(file, from, to - from), offset: 0 };
  let values = 0;
  while (reader.offset < reader.view.byteLength && values < rows) {
    requireThrift(reader.view, reader.offset);
    const page = parquetHeader(reader);
    const { num_values = 0 } = page.data_page_header ?? page.data_page_header_v2 ?? {};
    const { num_values: words = 0 } = page.dictionary_page_header ?? {};
    values += num_values;
    if (values > rows || words > rows || num_values < 0 || words < 0)
      throw new TooLargeTable('a column with more values than rows');
    const [plain, packed] = [Number(page.uncompressed_page_size), Number(page.compressed_page_size)];
    if (!(packed >= 0 && plain >= 0 && plain <= ratio * (packed + 64)))
      throw new TooLargeTable('a page with an uncompressed size that its compression cannot produce');
    if (ratio === Number.POSITIVE_INFINITY) room.plainBytes -= plain;
    if (room.plainBytes < 0) throw new TooLargeTable(`compressed pages of over ${counted(maxPlainBytes, 'byte')}`);
    requireRuns(page, new Uint8Array(file, from + reader.offset, packed), chunk, path, compressors);
    reader.offset += packed;
  }
}
