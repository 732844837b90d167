/**
 * Results for researchers: a {@link ResultTable} of runs or studies, with the units in the columns' names.
 * `@tutti/lab/parquet` writes a table to a file.
 *
 * @packageDocumentation
 */
export { type ColumnType, columnType, digestText, unitOf } from './results/columnTypes.ts';
export { type MapCell, mapRows } from './results/mapRows.ts';
export { type Cell, type ResultTable, resultTable, withColumns } from './results/resultTable.ts';
export { runDocument } from './results/runDocument.ts';
export { canonicalJson, pointText } from './results/sweepPoint.ts';
