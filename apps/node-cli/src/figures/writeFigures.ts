import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { standaloneSvg } from '@tutti/lab/drawing';
import type { Background } from '@tutti/lab/theme';
import { writeWhole } from '../output/files.ts';
import { csvOf } from './csv.ts';
import { type Finding, verdictText, verdictWord } from './finding.ts';
import { fontFile } from './fonts.ts';
import type { pdfOf } from './pdf.ts';
import { bibtex, provenanceText } from './provenance.ts';
import { type ReportFacts, reportOf } from './report.ts';

/**
 * Writes a report of all figures, and each figure as SVG, PNG and CSV in the same folder.
 *
 * @param drawPdf whether each figure is also written as PDF.
 * @returns the path of the report.
 * @throws WorldError `cannot-write`.
 */
export async function writeFigures(
  folder: string,
  findings: readonly Finding[],
  background: Background,
  facts: ReportFacts,
  drawPdf?: typeof pdfOf,
): Promise<string> {
  const { provenance } = facts;
  // The date is fixed, so that the same figure yields the same file. An installed package has no commit date.
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

/** Converts an SVG to a PNG of twice its size. */
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

/** Returns the claims and their verdicts as a Markdown table. */
function verdictTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { experiment, verdict } = finding;
    const because =
      experiment.departure === undefined || verdict.holds
        ? verdictText(finding)
        : `${verdict.because}. ${experiment.departure}`;
    return `| \`${experiment.id}\` | ${experiment.section} | ${experiment.claim} | ${verdictWord(finding)} | ${because} |`;
  });
  return ['| experiment | section | claim | result | reason |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}
