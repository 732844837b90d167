import { expect, it } from 'vitest';
import { handelRows, measured, publishedTables } from '../pixel/tables.ts';
import { pixelChapter } from './pixelChapter.ts';
import { reportOf } from './report.ts';

it("the report has each of Pixel's tables, row by row, what is measured here, and the way to each", async () => {
  const tables = [...publishedTables(), handelRows(64)];
  const here = await measured(1);
  const report = reportOf([], {
    extent: 'tiny',
    runs: 0,
    provenance: { version: '0.1.0' },
    date: '2026-11-24',
    machine: '2 cores',
    chapters: [pixelChapter(tables, here)],
  });
  const lengths = [
    ...tables.map(({ name, rows }) => [name, rows.length] as const),
    ['measured', here.rows.length] as const,
  ];
  for (const [name, rows] of lengths) {
    expect(report).toContain(`<a href="#pixel-${name}">`);
    const section = report.split(`<section id="pixel-${name}">`)[1]!.split('</section>')[0]!;
    expect(section.match(/<tr><td>/g) ?? [], name).toHaveLength(rows);
    expect(section).not.toMatch(/NaN|undefined|Infinity/);
  }
}, 60_000);
