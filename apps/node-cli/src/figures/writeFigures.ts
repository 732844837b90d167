import { join } from 'node:path';
import { writeWhole } from '../output/files.ts';
import { csvOf } from './csv.ts';
import { standaloneSvg } from './draw/chart.ts';
import type { Finding } from './finding.ts';
import { pngOf } from './png.ts';
import { type ReportFacts, reportOf } from './report.ts';
import { verdictTable } from './verdictTable.ts';

/**
 * Writes a report of all figures, and each as SVG, PNG and CSV beside it.
 *
 * @returns where the report is.
 * @throws WorldError `cannot-write`.
 */
export function writeFigures(folder: string, findings: readonly Finding[], facts: ReportFacts): string {
  for (const { experiment, figure } of findings) {
    const svg = standaloneSvg(figure, experiment.title);
    writeWhole(join(folder, `${experiment.id}.svg`), svg);
    writeWhole(join(folder, `${experiment.id}.png`), pngOf(svg));
    writeWhole(join(folder, `${experiment.id}.csv`), csvOf(figure));
  }
  writeWhole(join(folder, 'verdicts.md'), verdictTable(findings));
  const report = join(folder, 'report.html');
  writeWhole(report, reportOf(findings, facts));
  return report;
}
