import { type Finding, verdictText, verdictWord } from './finding.ts';

/** The claims and what became of them, as a table of Markdown. */
export function verdictTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { experiment, verdict } = finding;
    const because =
      experiment.departure === undefined || verdict.holds
        ? verdictText(finding)
        : `${verdict.because}. ${experiment.departure}`;
    return `| \`${experiment.id}\` | ${experiment.section} | ${experiment.claim} | ${verdictWord(finding)} | ${because} |`;
  });
  return ['| experiment | section | the claim | here | because |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}
