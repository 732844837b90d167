/** A cell that heads a column, a row, or rows. */
export function headCell(words: string, scope: 'col' | 'row' | 'rowgroup'): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = words;
  return cell;
}
