/** A view's numbers, a line at a time, the first one its columns' names. */
export type CsvLine = readonly (string | number)[];
export type CsvLines = Iterable<CsvLine>;

/** The lines as text. */
export function csvText(lines: CsvLines): string {
  return [...lines].map((line) => `${line.join(',')}\n`).join('');
}
