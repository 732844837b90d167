/**
 * Tables of results as Parquet files. This is a separate entry point, so that a page loads the writer only when it
 * needs it.
 *
 * @packageDocumentation
 */
export { parquetBytes, type TableOrigin } from './results/parquet.ts';
