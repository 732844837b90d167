import { type HornGrid, type HornRow, type HornTable, hornTable, hornTableNames } from '@tutti/core';
import { codings } from '../horn/codings.ts';
import { figure } from '../output/figure.ts';
import { escaped } from './draw/element.ts';
import { htmlTable } from './htmlTable.ts';

/** Horn's quantities in the report: what `tutti horn tables` prints. */
export interface HornChapter {
  /** Lines of the table of contents. */
  readonly contents: string;
  readonly sections: string;
}

export function hornChapter(): HornChapter {
  const tables = hornTableNames.map((name) => ({ id: `horn-${name}`, name, ...hornTable(name, codings) }));
  return {
    contents: tables.map(({ id, title }) => `<li><span></span><a href="#${id}">${escaped(title)}</a></li>`).join('\n'),
    sections: tables.map(sectionOf).join('\n'),
  };
}

function sectionOf({ id, name, title, section, rows, grids }: HornTable & { id: string; name: string }): string {
  const remarks = [...new Set(rows.map(({ why }) => why).filter((why) => why !== undefined))];
  return `<section id="${id}">
<h2>${escaped(title)}</h2>
<p class="sub">Horn: ${escaped(section)}</p>
${htmlTable(
  ['quantity', 'the post', 'exact', 'follows'],
  rows.map((row) => cells(row, remarks)),
)}
${remarks.length === 0 ? '' : `<ol class="sub">${remarks.map((remark) => `<li>${escaped(remark)}</li>`).join('')}</ol>`}
${grids.map(grid).join('\n')}
<p class="sub">Printed again by <code>tutti horn tables --section ${name}</code></p>
</section>`;
}

/** @param remarks under the table, by number. */
function cells({ item, unit, post, exact, follows, why }: HornRow, remarks: readonly string[]): string[] {
  const verdict = follows === undefined ? '' : follows ? 'yes' : 'no';
  return [
    item,
    post ?? '',
    `${figure(exact)} ${unit}`.trim(),
    why === undefined ? verdict : `${verdict} (${remarks.indexOf(why) + 1})`.trim(),
  ];
}

function grid({ title, columns, rows }: HornGrid): string {
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : figure(cell))));
  return `<h3>${escaped(title)}</h3>${htmlTable(columns, shown)}`;
}
