import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import type { Figure } from '@tutti/lab';
import { standaloneSvg } from '@tutti/lab/drawing';
import type { Background } from '@tutti/lab/theme';
import { writeWhole } from '../output/files.ts';
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
 * Writes a report of all figures, and each figure as SVG, PNG and CSV in the same folder.
 *
 * @param drawPdf converts an SVG to a PDF; if this function is given, each figure is written as PDF too.
 * @returns the path of the report.
 * @throws WorldError `cannot-write`.
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
    return `| \`${experiment.id}\` | ${experiment.section} | ${experiment.claim} | ${verdictWord(finding)} | ${because} |`;
  });
  return ['| experiment | section | claim | result | reason |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

const head =
  'chart,series,x,unit,min,mean,max,ci95_low,ci95_high,live,reached,seeds,published_min,published_mean,published_max';

/** Returns the measured numbers of a figure without rounding, one line for each mark. */
function csvOf(figure: Figure): string {
  const lines = figure.charts.flatMap((chart) => [
    ...chart.drawn.flatMap((series) => {
      const { name, points, measure, published = [] } = series;
      const rows = points.map(({ x, y, interval, live, reached, runs }) => {
        const other = published.find((point) => point.x === x);
        return [
          ...[chart.title, name, x, measure.unit, y?.min, y?.mean, y?.max, interval?.low, interval?.high],
          ...[live, reached, runs.length, other?.min, other?.mean, other?.max],
        ];
      });
      const alone = published.filter((other) => points.every(({ x }) => x !== other.x));
      return [
        ...rows,
        ...alone.map(({ x, min, mean, max }) => [
          ...[chart.title, name, x, measure.unit, ...Array(8).fill(undefined), min, mean, max],
        ]),
      ];
    }),
    ...figure
      .curves(chart)
      .flatMap(({ name, points }) =>
        points.map(({ x, y }) => [chart.title, name, x, '', undefined, y, ...Array(9).fill(undefined)]),
      ),
  ]);
  return `${[head, ...lines.map((cells) => cells.map(cell).join())].join('\n')}\n`;
}

function cell(value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
