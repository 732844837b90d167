import type { HornGrid, HornTable } from '@tutti/ethereum';
import { escaped } from '@tutti/lab/drawing';
import { fitLine } from '@tutti/simulation';
import { gridCells, hornTables, remarksOf, rowCells } from '../horn/tables.ts';
import { grouped } from '../output/text.ts';
import growthRuns from './growthRuns.json' with { type: 'json' };
import { htmlTable, type TableChapter } from './report.ts';

/** Returns the chapters of the report that consist of tables. */
export function furtherChapters(): TableChapter[] {
  return [growthChapter(), hornChapter(hornTables())];
}

type GrowthRun = (typeof growthRuns)[number];

/** Growth laws from section 4.1 of v1.03. */
const laws: readonly {
  readonly what: string;
  readonly of: string;
  x(log2: number): number;
  y(run: GrowthRun): number;
}[] = [
  { what: 'time to the threshold, ms', of: 'log₂ N', x: (log2) => log2, y: (run) => run.timeMs },
  { what: 'messages sent per node', of: 'log₂² N', x: (log2) => log2 ** 2, y: (run) => run.messagesSent },
  { what: 'checks per node', of: 'log₂² N', x: (log2) => log2 ** 2, y: (run) => run.checked },
];

/**
 * Returns the report's chapter on the growth of Handel to a million nodes: the measurements of `npm run bench --
 * growth`, compared with the laws of the paper.
 */
export function growthChapter(): TableChapter {
  const runs = htmlTable(
    ['nodes', 'time to the threshold, ms', 'messages sent per node', 'checks per node', 'digest', 'code'],
    growthRuns.map(({ nodes, timeMs, messagesSent, checked, digest, version }) => [
      grouped(nodes),
      grouped(timeMs),
      grouped(messagesSent, 1),
      grouped(checked, 1),
      digest,
      version,
    ]),
  );
  const fits = htmlTable(
    ['', 'fit', 'R²'],
    laws.map(({ what, of, x, y }) => {
      const { intercept, slope, r2 } = fitLine(growthRuns.map((run) => [x(Math.log2(run.nodes)), y(run)]));
      return [what, `${grouped(intercept, 1)} + ${grouped(slope, 2)} ${of}`, grouped(r2, 4)];
    }),
  );
  return {
    title: 'Growth to a million nodes',
    opening:
      'The growth law of v1.03 section 4.1, without Byzantine nodes, for sizes that a report does not simulate again: AWS, threshold 99 %, no dead nodes, one run per size. Measured by <code>npm run bench -- growth</code>; the same code gives the same digest on every machine.',
    sections: [
      { id: 'growth-to-a-million', title: 'Time, messages and checks by number of nodes', body: runs },
      { id: 'growth-law', title: 'Least-squares fit of the growth law to all sizes', body: fits },
    ],
  };
}

type NamedTable = HornTable & { readonly name: string };

/** Returns the report's chapter on the quantities of Horn: the output of `tutti horn tables`. */
export function hornChapter(tables: readonly NamedTable[]): TableChapter {
  return {
    title: 'The quantities of Horn',
    opening: `The figures of <em>Horn: Collecting signatures for faster finality</em> (Kadianakis and D'Amato) next to the values computed from the post's inputs.`,
    sections: tables.map((table) => ({ id: `horn-${table.name}`, title: table.title, body: bodyOf(table) })),
  };
}

const marks = { none: '', no: 'no', remark: (number: number) => `(${number})` };

function bodyOf({ name, section, rows, grids }: NamedTable): string {
  const remarks = remarksOf(rows);
  return `<p class="sub">Horn: ${escaped(section)}</p>
${htmlTable(
  ['quantity', 'the post', 'exact', 'follows'],
  rows.map((row) => rowCells(row, remarks, marks)),
)}
${remarks.length === 0 ? '' : `<ol class="sub">${remarks.map((remark) => `<li>${escaped(remark)}</li>`).join('')}</ol>`}
${grids.map(grid).join('\n')}
<p class="sub">Printed again by <code>tutti horn tables --section ${name}</code></p>`;
}

function grid(of: HornGrid): string {
  return `<h3>${escaped(of.title)}</h3>${htmlTable(of.columns, gridCells(of))}`;
}
