/**
 * Tables of results as Parquet files: a door of its own, so that a page loads what writes them when it is asked for.
 *
 * @packageDocumentation
 */
export { parquetBytes, type TableOrigin } from './results/parquet.ts';
