import type { TableOrigin } from '@tutti/lab/parquet';
import type { Cell, ResultTable } from '@tutti/lab/results';
import { createElement } from './html.ts';

/**
 * Loads the JSON of a file that was built together with the page. @throws Error with the server's message if the file
 * is missing.
 */
export async function fetched<Content>(file: URL): Promise<Content> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** Decodes base64, character by character, which is several times faster than an iterator. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Offers a file as a download. */
export function download(file: Blob, name: string): void {
  const link = createElement('a', { href: URL.createObjectURL(file), download: name });
  link.click();
  // By then, the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Line of a table. The first line contains the names of the columns; null stands for an empty cell. */
export type TableLine = readonly Cell[];
export type TableLines = Iterable<TableLine>;

/** Yields the CSV text of the lines (RFC 4180). */
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

/** Rounds a number to the digits that a reader needs. The result is still a number. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Converts lines to a table with the columns that Parquet stores. */
export function tableOf(lines: TableLines): ResultTable {
  const [columns = [], ...rows] = lines;
  return { columns: columns.map(String), rows };
}

/** Returns the origin for a command that a page prints. */
export function originOfCommand(
  command: string,
  { version, seed }: { readonly version: string; readonly seed: number },
): TableOrigin {
  return { command: command.replace(/^(npx )?tutti /, ''), version, seed };
}

export const parquetType = 'application/vnd.apache.parquet';

/**
 * Returns a Parquet file in the form that `--out F.parquet` writes. The writer is loaded on demand, because few readers
 * need it.
 */
export async function parquetFile(table: ResultTable, origin: TableOrigin): Promise<Uint8Array<ArrayBuffer>> {
  const { parquetBytes } = await import('@tutti/lab/parquet');
  return parquetBytes(table, origin);
}
