import type { HornGrid, HornRow, HornTable } from '@tutti/ethereum';
import { escaped } from '@tutti/lab/drawing';
import { fourDigits } from '../numbers.ts';
import { htmlTable, type TableChapter } from './html.ts';

export type NamedTable = HornTable & { readonly name: string };

/** Returns the report's chapter on Horn's quantities: the output of `tutti horn tables`. */
export function hornChapter(tables: readonly NamedTable[]): TableChapter {
  return {
    title: 'The quantities of Horn',
    opening: `The figures of <em>Horn: Collecting signatures for faster finality</em> (Kadianakis and D'Amato) next to the values computed from the post's inputs.`,
    sections: tables.map((table) => ({ id: `horn-${table.name}`, title: table.title, body: bodyOf(table) })),
  };
}

function bodyOf({ name, section, rows, grids }: NamedTable): string {
  const remarks = [...new Set(rows.map(({ why }) => why).filter((why) => why !== undefined))];
  return `<p class="sub">Horn: ${escaped(section)}</p>
${htmlTable(
  ['quantity', 'the post', 'exact', 'follows'],
  rows.map((row) => cells(row, remarks)),
)}
${remarks.length === 0 ? '' : `<ol class="sub">${remarks.map((remark) => `<li>${escaped(remark)}</li>`).join('')}</ol>`}
${grids.map(grid).join('\n')}
<p class="sub">Printed again by <code>tutti horn tables --section ${name}</code></p>`;
}

/**
 * Returns the cells of a row.
 *
 * @param remarks the remarks below the table; cells refer to them by number, from 1.
 */
function cells({ item, unit, post, exact, follows, why }: HornRow, remarks: readonly string[]): string[] {
  const verdict = follows === undefined ? '' : follows ? 'yes' : 'no';
  return [
    item,
    post ?? '',
    `${fourDigits(exact)} ${unit}`.trim(),
    why === undefined ? verdict : `${verdict} (${remarks.indexOf(why) + 1})`.trim(),
  ];
}

function grid({ title, columns, rows }: HornGrid): string {
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : fourDigits(cell))));
  return `<h3>${escaped(title)}</h3>${htmlTable(columns, shown)}`;
}
