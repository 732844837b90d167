import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import type { DrawnChart, Figure } from '@tutti/lab';
import { standaloneSvg } from '@tutti/lab/drawing';
import type { Background } from '@tutti/lab/theme';
import { csvFormatRows } from 'd3-dsv';
import { writeWhole } from '../output/files.ts';
import { markdownTable } from '../output/text.ts';
import { bibtex, provenanceText } from './document.ts';
import { departureOf, type Finding, verdictText, verdictWord } from './finding.ts';
import { type ReportFacts, reportOf } from './report.ts';

/** Document properties of a PDF. */
export interface PdfFacts {
  readonly title: string;
  /** Program that created the PDF. */
  readonly creator: string;
  /** Creation date of the PDF. The date is fixed, so that the same figure yields the same file. */
  readonly created: Date;
}

/** Folder in a packed command with the two fonts in use, out of a library of 22. */
const packed = new URL('../../fonts/', import.meta.url);

/** Returns the path of an included font, with which every machine draws the same picture. */
export function fontFile(name: 'DejaVuSans' | 'DejaVuSans-Bold'): string {
  const file = fileURLToPath(new URL(`${name}.ttf`, packed));
  return existsSync(file) ? file : createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
}

/**
 * Writes to a folder: each figure as SVG, PNG and CSV, the report `report.html`, a table of the verdicts in `verdicts.md`,
 * and the BibTeX entries `cite.bib`.
 *
 * @param drawPdf converts an SVG to a PDF; if this function is given, each figure is written as PDF too.
 * @returns the path of the report.
 * @throws EnvironmentError `cannot-write`.
 */
export async function writeFigures(
  folder: string,
  findings: readonly Finding[],
  background: Background,
  facts: ReportFacts,
  drawPdf?: (svg: string, facts: PdfFacts) => Promise<Uint8Array>,
): Promise<string> {
  const { provenance } = facts;
  // The same figure yields the same PDF, because the date is that of the commit, or 1970 for an installed package.
  const created = new Date(provenance.commit?.date ?? 0);
  for (const { experiment, figure } of findings) {
    const svg = standaloneSvg(figure, experiment.title, background);
    writeWhole(join(folder, `${experiment.id}.svg`), svg);
    writeWhole(join(folder, `${experiment.id}.png`), pngOf(svg));
    if (drawPdf !== undefined) {
      const pdf = { title: experiment.title, creator: provenanceText(provenance), created };
      writeWhole(join(folder, `${experiment.id}.pdf`), await drawPdf(svg, pdf));
    }
    writeWhole(join(folder, `${experiment.id}.csv`), csvOf(figure));
  }
  writeWhole(join(folder, 'cite.bib'), bibtex(provenance));
  writeWhole(join(folder, 'verdicts.md'), verdictTable(findings));
  const report = join(folder, 'report.html');
  writeWhole(report, reportOf(findings, facts));
  return report;
}

/** Converts an SVG to a PNG with twice the width and height. */
function pngOf(svg: string): Uint8Array {
  const rendering = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile('DejaVuSans'), fontFile('DejaVuSans-Bold')],
      defaultFontFamily: 'DejaVu Sans',
    },
  });
  return rendering.render().asPng();
}

/** Returns a Markdown table of the claims and their verdicts. */
function verdictTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { experiment } = finding;
    const departure = departureOf(finding);
    const because = departure === undefined ? verdictText(finding) : `${verdictText(finding)}. ${departure}`;
    return [`\`${experiment.id}\``, experiment.section, experiment.claim, verdictWord(finding), because];
  });
  return markdownTable(['experiment', 'section', 'claim', 'result', 'reason'], rows);
}

/** Columns of a figure's CSV file. */
const columns = [
  ...(['chart', 'series', 'x', 'unit', 'min', 'mean', 'max', 'ci95_low', 'ci95_high'] as const),
  ...(['live', 'reached', 'seeds', 'published_min', 'published_mean', 'published_max'] as const),
];

/** Row of a figure's CSV file: a mark, a point of a curve, or a published value. A missing value is an empty cell. */
type CsvRow = Readonly<Partial<Record<(typeof columns)[number], string | number | undefined>>>;

/**
 * Returns the numbers of a figure without rounding: one line for each mark, for each point of a curve, and for each
 * published value at another place.
 */
function csvOf(figure: Figure): string {
  const rows = figure.charts.flatMap((chart): CsvRow[] => [
    ...chart.drawn.flatMap((series) => seriesRows(chart.title, series)),
    ...figure
      .curves(chart)
      .flatMap(({ name, points }) => points.map(({ x, y }) => ({ chart: chart.title, series: name, x, mean: y }))),
  ]);
  const lines = rows.map((row) => columns.map((column) => String(row[column] ?? '')));
  return `${csvFormatRows([columns, ...lines])}\n`;
}

/** Returns the rows of a series: its marks, and the published values at other places. */
function seriesRows(
  chart: string,
  { name, points, measure, published = [] }: DrawnChart['drawn'][number],
): readonly CsvRow[] {
  const shared = { chart, series: name, unit: measure.unit };
  const publishedAt = (place: number | string): CsvRow => {
    const other = published.find(({ x }) => x === place);
    return { published_min: other?.min, published_mean: other?.mean, published_max: other?.max };
  };
  const alone = published.filter((other) => points.every(({ x }) => x !== other.x));
  return [
    ...points.map(({ x, y, interval, live, reached, runs }) => ({
      ...shared,
      x,
      min: y?.min,
      mean: y?.mean,
      max: y?.max,
      ci95_low: interval?.low,
      ci95_high: interval?.high,
      live,
      reached,
      seeds: runs.length,
      ...publishedAt(x),
    })),
    ...alone.map(({ x }) => ({ ...shared, x, ...publishedAt(x) })),
  ];
}
