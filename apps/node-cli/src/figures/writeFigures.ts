import { join } from 'node:path';
import { standaloneSvg } from '@tutti/lab/drawing';
import type { Background } from '@tutti/lab/theme';
import { writeWhole } from '../output/files.ts';
import { csvOf } from './csv.ts';
import type { Finding } from './finding.ts';
import type { pdfOf } from './pdf.ts';
import { pngOf } from './png.ts';
import { bibtex, provenanceText } from './provenance.ts';
import { type ReportFacts, reportOf } from './report.ts';
import { verdictTable } from './verdictTable.ts';

/**
 * Writes a report of all figures, and beside it each figure as SVG, PNG and CSV.
 *
 * @param drawPdf also draws each as PDF.
 * @returns where the report is.
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
  // So that the same figure makes the same file, and an installed package has no date of its own.
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
