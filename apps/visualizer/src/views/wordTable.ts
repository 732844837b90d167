import { made } from '../made.ts';

/** A cell that names its column, or its row. */
export function headCell(textContent: string, scope: 'row' | 'col' | 'rowgroup'): HTMLTableCellElement {
  return made('th', { scope, textContent });
}

/** A table of words: the names of its columns, and lines of which each begins with its name. */
export function wordTable(columns: readonly string[], lines: readonly (readonly string[])[]): HTMLTableElement {
  const row = (cells: readonly HTMLTableCellElement[]) => made('tr', {}, ...cells);
  const head = made('thead', {}, row(columns.map((name) => headCell(name, 'col'))));
  const rows = lines.map(([name, ...words]) =>
    row([headCell(name!, 'row'), ...words.map((textContent) => made('td', { textContent }))]),
  );
  return made('table', {}, head, made('tbody', {}, ...rows));
}
