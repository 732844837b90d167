import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { hornTables } from '../horn/tables.ts';
import { hornChapter } from './furtherChapters.ts';
import { reportOf } from './report.ts';

it.runIf(isWhole)("the report has each of Horn's tables, row by row, and a link to each from its contents", () => {
  const tables = hornTables();
  const report = reportOf([], {
    extent: 'tiny',
    runs: 0,
    provenance: { version: '0.1.0' },
    date: '2026-11-24',
    machine: '2 cores',
    chapters: [hornChapter(tables)],
  });
  for (const { name, rows, grids } of tables) {
    expect(report).toContain(`<a href="#horn-${name}">`);
    const section = report.split(`<section id="horn-${name}">`)[1]!.split('</section>')[0]!;
    const lines = rows.length + grids.reduce((sum, grid) => sum + grid.rows.length, 0);
    expect(section.match(/<tr><td>/g) ?? [], name).toHaveLength(lines);
    expect(section).not.toMatch(/NaN|undefined|Infinity/);
  }
});

it('a report of some figures has no chapter on Horn', () => {
  expect(
    reportOf([], {
      extent: 'tiny',
      runs: 0,
      provenance: { version: '0.1.0' },
      date: '2026-11-24',
      machine: '2 cores',
      chapters: [],
    }),
  ).not.toContain('Horn');
});
