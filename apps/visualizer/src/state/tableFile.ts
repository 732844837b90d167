import type { TableOrigin } from '@tutti/lab/parquet';
import type { Cell, ResultTable } from '@tutti/lab/results';

/** A table, a line at a time, the first one its columns' names; null where a line has nothing. */
export type TableLine = readonly Cell[];
export type TableLines = Iterable<TableLine>;

/** The lines as text, by RFC 4180. */
export function* csvParts(lines: TableLines): Generator<string> {
  for (const line of lines) yield `${line.map(csvCell).join(',')}\n`;
}

export function csvText(lines: TableLines): string {
  return [...csvParts(lines)].join('');
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** With no more digits than a reader wants, and still a number. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The lines as the command's tables are: what of them goes into Parquet. */
export function tableOf(lines: TableLines): ResultTable {
  const [columns = [], ...rows] = lines;
  return { columns: columns.map(String), rows };
}

/** Returns the origin of the command that a page prints. */
export function originOfCommand(
  command: string,
  { version, seed }: { readonly version: string; readonly seed: number },
): TableOrigin {
  return { command: command.replace(/^(npx )?tutti /, ''), version, seed };
}

export const parquetType = 'application/vnd.apache.parquet';

/** The file that `--out F.parquet` writes. What writes it is loaded now: few readers ask for it. */
export async function parquetFile(table: ResultTable, origin: TableOrigin): Promise<Uint8Array<ArrayBuffer>> {
  const { parquetBytes } = await import('@tutti/lab/parquet');
  return parquetBytes(table, origin);
}
