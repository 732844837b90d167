import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FiguresDocument } from '../apps/node-cli/src/figures/document.ts';
import { refusalOf, runMain } from '../apps/node-cli/test/runMain.ts';
import { isWhole } from './sampled.ts';
import { endedAt, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();
const only = 'fig3,fig10,without-blacklist';

const resultsIn = (out: string): string[] => {
  const file = existsSync(out) ? readdirSync(out).find((name) => /^runs-[0-9a-f]{8}\.jsonl$/.test(name)) : undefined;
  return file === undefined ? [] : readFileSync(join(out, file), 'utf8').split('\n').slice(0, -1);
};

/** Returns the rows of a CSV whose cells may be quoted. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) =>
        cell!.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'),
      ),
    );
  return rows.map((cells) => Object.fromEntries(head!.map((name, index) => [name, cells[index] ?? ''])));
}

/** Checks that the markup is well-formed XML: each tag has a matching closing tag, and attributes are quoted. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  let text = svg;
  for (const [tag, closing, name, attributes, empty] of svg.matchAll(
    /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/gi,
  )) {
    text = text.replace(tag, '');
    if (closing === '/') expect(open.pop(), tag).toBe(name);
    else if (empty !== '/') open.push(name!);
    expect(attributes).not.toMatch(/NaN|undefined|Infinity/);
  }
  expect(open).toEqual([]);
  expect(text).not.toMatch(/<|&(?!amp;|lt;|gt;|quot;)/);
}

/** Returns a report without its date, because two reports may be from different days. */
const undated = (text: string) => text.replace(/<dt>Date<\/dt><dd>.*?<\/dd>/, '');

describe('tutti figures', () => {
  const out = join(folder, 'whole');
  let document: FiguresDocument;

  beforeAll(async () => {
    const flags = ['--tiny', '--only', only, '--out-folder', out, '--pdf', '--json'];
    const { code, out: printed, err } = await runMain(['figures', ...flags]);
    document = JSON.parse(printed);
    // At small sizes, claims may remain unconfirmed: the command reports them, and exits with another code.
    expect(err.replaceAll(/^running: .*\n/gm, '').trim()).toBe(
      document.broken.length === 0
        ? ''
        : `tutti: ${document.broken.join(', ')}: claim did not hold; see ${join(out, 'report.html')}`,
    );
    expect(code).toBe(document.broken.length === 0 ? 0 : 1);
  });

  it('reports for each experiment whether its claim held, with the reason', () => {
    expect(document.experiments.map(({ id }) => id)).toEqual(only.split(','));
    for (const { because, command, id } of document.experiments) {
      expect(because.length).toBeGreaterThan(20);
      expect(because).not.toMatch(/NaN|undefined|Infinity/);
      expect(command).toBe(`tutti figures --only ${id} --tiny`);
    }
    expect(document.experiments.at(-1)).toMatchObject({ id: 'without-blacklist', holds: true });
  });

  it('writes one self-contained report with every figure, verdict and command', () => {
    const report = readFileSync(join(out, 'report.html'), 'utf8');
    for (const { id, because, command } of document.experiments) {
      expect(report).toContain(`<section id="${id}">`);
      expect(report).toContain(`href="#${id}"`);
      expect(report).toContain(because.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
      expect(report).toContain(command);
    }
    expect(report).not.toMatch(/<script|<link|src=|@import|url\(/);
    // Each chart is drawn in light and dark colours. The figure fig3 has two charts, one per threshold.
    expect(report.match(/<svg /g)).toHaveLength(2 * 4);
    expect(report).not.toMatch(/NaN|undefined/);
    expect(report).toContain('<h2>How to cite</h2>');
  });

  it.each(only.split(','))('writes %s as a well-formed SVG, as a PNG and as a PDF', (id) => {
    expectWellFormed(readFileSync(join(out, `${id}.svg`), 'utf8'));
    const png = readFileSync(join(out, `${id}.png`));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(2 * 760);
    expect(readFileSync(join(out, `${id}.pdf`), 'latin1')).toMatch(/^%PDF-/);
  });

  it('writes the numbers of the runs as CSV', () => {
    for (const { id, series } of document.experiments) {
      const rows = rowsOf(readFileSync(join(out, `${id}.csv`), 'utf8'));
      for (const { name, chart, points } of series)
        for (const { x, y, live, reached, runs } of points) {
          const row = rows.find((one) => one.chart === chart && one.series === name && one.x === String(x));
          expect(row).toMatchObject({ live: String(live), reached: String(reached), seeds: String(runs.length) });
          for (const of of ['min', 'mean', 'max'] as const) expect(row![of]).toBe(y === null ? '' : String(y[of]));
        }
    }
    const lines = resultsIn(out).map((line) => JSON.parse(line));
    const { points } = document.experiments[1]!.series[0]!;
    const first = points[0]!.runs[0]!;
    const run = lines.find((line) => line.digest === first.digest && line.seed === first.seed);
    expect(run.messagesReceived.mean).toBe(points[0]!.y!.mean);
  });

  it.runIf(isWhole)('continues after Ctrl-C and after a kill, and writes the same report', async () => {
    const again = join(folder, 'killed');
    const flags = ['figures', '--tiny', '--only', only, '--out-folder', again, '--jobs', '1', '--pdf', '--json'];
    const count = () => resultsIn(again).length;
    const { code, err } = await endedAt('SIGINT', folder, count, 1, flags);
    expect(code).toBe(130);
    expect(err).toContain(` has ${count()} of ${document.runs} runs; run the command again to continue`);
    expect(existsSync(join(again, 'report.html'))).toBe(false);

    await endedAt('SIGKILL', folder, count, count() + 1, flags);
    const before = count();
    expect(before).toBeLessThan(document.runs);

    const resumed: FiguresDocument = JSON.parse((await runMain(flags)).out);
    expect(resumed).toMatchObject({ runs: document.runs, ran: document.runs - before });
    expect(resultsIn(again)).toHaveLength(document.runs);
    expect(resultsIn(again).toSorted()).toEqual(resultsIn(out).toSorted());
    const reportIn = (folder: string, name: string) => undated(readFileSync(join(folder, name), 'utf8'));
    for (const name of ['report.html', 'verdicts.md', 'cite.bib', 'fig3.svg', 'fig3.pdf', 'fig3.csv'])
      expect(reportIn(again, name), name).toBe(reportIn(out, name));
  });

  it('an unknown figure is refused before anything is written', async () => {
    const refused = await runMain(['figures', '--only', 'fig3,fig99', '--out-folder', join(folder, 'never')]);
    expect(refusalOf(refused)).toMatch(/^--only: expected some of fig3, .*, got "fig99" \(Did you mean fig9\?\)$/);
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });
});
