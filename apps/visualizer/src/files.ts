import type { TableOrigin } from '@tutti/lab/parquet';
import type { Cell, ResultTable } from '@tutti/lab/results';
import { createElement } from './html.ts';

/** Loads a file of the page. @throws Error with the server's status if the server does not return the file. */
export async function fetchedFile(file: URL): Promise<Response> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file.pathname}: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** Loads a JSON file of the page. @throws Error as {@link fetchedFile}, or if the file is not JSON. */
export async function fetched<Content>(file: URL): Promise<Content> {
  return (await fetchedFile(file)).json();
}

/** Decodes base64, character by character, which is several times faster than an iterator. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Offers a file for download. */
export function download(file: Blob, name: string): void {
  const link = createElement('a', { href: URL.createObjectURL(file), download: name });
  link.click();
  // After this time, the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Row of a table; null represents an empty cell. */
export type TableLine = readonly Cell[];
/** Rows of a table, beginning with the names of the columns. */
export type TableLines = Iterable<TableLine>;

/** Yields the rows as CSV text, with cells as in RFC 4180 and one line feed after each row. */
export function* csvParts(lines: TableLines): Generator<string> {
  for (const line of lines) yield `${line.map(csvCell).join(',')}\n`;
}

/** Returns a table as CSV text, in the form of {@link csvParts}. */
export function csvText(lines: TableLines): string {
  return [...csvParts(lines)].join('');
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rounds a number. @param digits number of decimals. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Converts rows to a table with columns that Parquet can store. */
export function tableOf(lines: TableLines): ResultTable {
  const [columns = [], ...rows] = lines;
  return { columns: columns.map(String), rows };
}

/** Returns the origin of a table for a command that a page shows. */
export function originOfCommand(
  command: string,
  { version, seed }: { readonly version: string; readonly seed: number },
): TableOrigin {
  return { command: command.replace(/^(npx )?tutti /, ''), version, seed };
}

/**
 * Returns a Parquet file in the format that `--out F.parquet` writes. The Parquet writer is loaded on demand, because
 * few readers need it.
 */
export async function parquetFile(table: ResultTable, origin: TableOrigin): Promise<Blob> {
  const { parquetBytes } = await import('@tutti/lab/parquet');
  return new Blob([parquetBytes(table, origin)], { type: 'application/vnd.apache.parquet' });
}
