import { readFileSync } from 'node:fs';
import { defaultScenario, simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { hornTables } from '../horn/tables.ts';
import { growthChapter, hornChapter } from './furtherChapters.ts';
import growthRuns from './growthRuns.json' with { type: 'json' };
import { reportOf, type TableChapter } from './report.ts';

const reportWith = (chapter: TableChapter) =>
  reportOf([], {
    ...{ extent: 'tiny', runs: 0, provenance: { version: '0.1.0' }, date: '2026-11-24', machine: '2 cores' },
    chapters: [chapter],
  });

it('the report has a row for each measured size, up to a million nodes, and the fits of the page in docs', () => {
  const report = reportWith(growthChapter());
  expect(growthRuns.at(-1)!.nodes).toBe(2 ** 20);
  for (const { digest } of growthRuns) expect(report).toContain(`<td>${digest}</td>`);
  const page = readFileSync(new URL('../../../../docs/benchmarks/simulator.md', import.meta.url), 'utf8');
  for (const [, fit] of page.matchAll(/\| ([\d.]+ \+ [\d.]+) log2/g)) expect(report).toContain(fit);
  expect(page.match(/ \+ [\d.]+ log2/g)).toHaveLength(3);
  expect(report).not.toMatch(/NaN|undefined|Infinity/);
});

it('the measured values of the smaller sizes equal those of this code', () => {
  const kept = growthRuns.filter(({ nodes }) => nodes <= (isWhole ? 4096 : 1024));
  expect(kept.map(({ digest }) => digest)).toEqual(
    kept.map(({ nodes }) => simulate({ ...defaultScenario, nodes }).digest),
  );
});

it.runIf(isWhole)("the report has each of Horn's tables, row by row, and a link to each from its contents", () => {
  const tables = hornTables();
  const report = reportWith(hornChapter(tables));
  for (const { name, rows, grids } of tables) {
    expect(report).toContain(`<a href="#horn-${name}">`);
    const section = report.split(`<section id="horn-${name}">`)[1]!.split('</section>')[0]!;
    const lines = rows.length + grids.reduce((sum, grid) => sum + grid.rows.length, 0);
    expect(section.match(/<tr><td>/g) ?? [], name).toHaveLength(lines);
    expect(section).not.toMatch(/NaN|undefined|Infinity/);
  }
});
