import { type DrawnChart, type Extent, threeDigits } from '@tutti/lab';
import { escaped, inlineSvg, narrow, wide } from '@tutti/lab/drawing';
import type { Interval } from '@tutti/simulation';
import type { InputFile } from '../output/inputs.ts';
import { captionOf, chartNumber, figureNumber, seedsText } from './caption.ts';
import { type Finding, verdictText, verdictWord } from './finding.ts';
import { htmlTable, type TableChapter } from './html.ts';
import { bibtex, commitText, type Provenance } from './provenance.ts';
import { reportStyle } from './reportStyle.ts';

export interface ReportFacts {
  readonly extent: Extent;
  /** Network of all runs, if it differs from that of the figures. */
  readonly network?: string;
  /** The files that were read, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly runs: number;
  readonly provenance: Provenance;
  /** Date of the report, such as `2026-11-24`. */
  readonly date: string;
  /** Machine as described by `machineText`. */
  readonly machine: string;
  /** Chapters after the figures; empty in a report of some figures only. */
  readonly chapters: readonly TableChapter[];
}

/**
 * Returns the report: one HTML file without external resources. The same results and facts yield the same file. The
 * head precedes the table of contents, so that a phone shows the subject first. A wide window shows the table of
 * contents at the side.
 */
export function reportOf(findings: readonly Finding[], facts: ReportFacts): string {
  const held = findings.filter(({ verdict }) => verdict.holds);
  const differing = held.filter(({ verdict }) => verdict.differs !== undefined).length;
  const title = 'Reproduction of the figures of Handel';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${reportStyle}</style>
</head>
<body>
<div class="page">
<header>
<h1>${title}</h1>
<p>${threeDigits(held.length)} of ${threeDigits(findings.length)} claims held${differing === 0 ? '' : `, ${threeDigits(differing)} of them with numbers that differ from the published ones by a quarter or more`}. Every figure and claim of <em>Handel: Practical Multi-Signature Aggregation for
Large Byzantine Committees</em> (version 1.03) that can be run, run under virtual time.</p>
${notable(findings)}
<dl class="facts">
${factsOf(findings, facts)
  .map(([name, text]) => `<div><dt>${name}</dt><dd>${escaped(text)}</dd></div>`)
  .join('\n')}
</dl>
</header>
<nav class="contents" aria-label="Figures">
<details>
<summary>Figures and claims</summary>
<ol>
${findings.map(contentsLine).join('\n')}
</ol>
${facts.chapters.map(chapterContents).join('\n')}
<p><a href="#cite">How to cite</a></p>
</details>
</nav>
<main>
${findings.map(section).join('\n')}
${facts.chapters.map(chapterPart).join('\n')}
<section id="cite">
<h2>How to cite</h2>
<p>Each figure is stored next to this page as SVG, PNG and CSV (and, made with <code>--pdf</code>, as PDF), and says which command reproduces it. For BibTeX (<code>cite.bib</code>):</p>
<pre>${escaped(bibtex(facts.provenance))}</pre>
</section>
</main>
</div>
</body>
</html>
`;
}

/** Returns the most important links: to claims that did not hold, and to those whose numbers differ. */
function notable(findings: readonly Finding[]): string {
  const some = findings.filter(({ verdict }) => !verdict.holds || verdict.differs !== undefined);
  if (some.length === 0) return '';
  const links = some.map(
    (finding) =>
      `<li><a href="#${finding.experiment.id}">${escaped(label(finding))}</a>: <span class="${finding.verdict.holds ? 'held' : 'not-held'}">${verdictWord(finding)}</span></li>`,
  );
  return `<ul class="notable">\n${links.join('\n')}\n</ul>`;
}

/** Returns the origin of the numbers, for citation in a thesis. */
function factsOf(findings: readonly Finding[], facts: ReportFacts): [name: string, text: string][] {
  const { version, commit } = facts.provenance;
  const all = findings.flatMap(({ figure }) => figure.charts.flatMap(({ drawn }) => drawn));
  const runs = all.flatMap(({ points }) => points.flatMap((point) => point.runs));
  return [
    ['Version', `Tutti ${version}`],
    ['Commit', commit === undefined ? 'none (installed package)' : commitText(commit)],
    ['Date', facts.date],
    ['Machine', facts.machine],
    ...(facts.network === undefined ? [] : [['Network', facts.network] satisfies [string, string]]),
    ...(facts.inputs ?? []).map(({ file, sha256 }): [string, string] => ['Input', `${file}, SHA-256 ${sha256}`]),
    ['Seeds', runs.length === 0 ? 'none' : `${seedsText(runs)}; each caption lists the seeds of its figure`],
    [
      'Runs',
      `${threeDigits(facts.runs)}, ${facts.extent === 'full' ? 'at full size' : `the ${facts.extent} variant: smaller sizes and fewer seeds than the full one`}`,
    ],
  ];
}

function chapterContents({ title, sections }: TableChapter): string {
  const lines = sections.map(({ id, title }) => `<li><span></span><a href="#${id}">${escaped(title)}</a></li>`);
  return `<strong>${escaped(title)}</strong>\n<ol>\n${lines.join('\n')}\n</ol>`;
}

function chapterPart({ title, opening, sections }: TableChapter): string {
  const parts = sections.map(
    ({ id, title, body }) => `<section id="${id}">\n<h2>${escaped(title)}</h2>\n${body}\n</section>`,
  );
  return `<h1>${escaped(title)}</h1>\n<p>${opening}</p>\n${parts.join('\n')}`;
}

function contentsLine(finding: Finding): string {
  const { experiment, verdict } = finding;
  const sign = verdict.holds
    ? `<span class="held" aria-hidden="true">${verdict.differs === undefined ? '✓' : '≈'}</span>`
    : '<span class="not-held" aria-hidden="true">✗</span>';
  return `<li>${sign}<a href="#${experiment.id}" title="${verdictWord(finding)}">${escaped(label(finding))}</a></li>`;
}

/** Returns, for example, `Figure 3: Time to the threshold`. */
function label({ experiment }: Finding): string {
  return `Figure ${figureNumber(experiment.id)}: ${experiment.title}`;
}

function section(finding: Finding): string {
  const { experiment, figure, verdict, command } = finding;
  const word = verdictWord(finding);
  const departure = verdict.holds || experiment.departure === undefined ? '' : ` ${escaped(experiment.departure)}`;
  return `<section id="${experiment.id}">
<h2>${escaped(label(finding))}</h2>
<p class="sub">Handel ${escaped(experiment.section)}</p>
<p>${escaped(experiment.claim)}</p>
<p class="verdict${verdict.holds ? '' : ' not'}"><strong class="${verdict.holds ? 'held' : 'not-held'}">${word[0]!.toUpperCase()}${word.slice(1)} here:</strong> ${escaped(verdictText(finding))}.${departure}</p>
${figure.charts
  .map(
    (chart, place) => `<figure>
${inlineSvg(figure, chart, wide)}
${inlineSvg(figure, chart, narrow)}
<figcaption><strong>Figure ${chartNumber(experiment.id, place, figure.charts.length)}.</strong> ${escaped(captionOf(chart))}</figcaption>
</figure>`,
  )
  .join('\n')}
${experiment.note === undefined ? '' : `<p class="sub">${escaped(experiment.note)}</p>`}
<details><summary>Numbers</summary>
${figure.charts.map((chart) => numbers(chart, figure.charts.length > 1)).join('\n')}
</details>
<p class="sub">Reproduce with <code>${escaped(command)}</code></p>
</section>`;
}

/** Returns half an interval's width; empty if there is none. */
function plusMinus(interval: Interval | undefined): string {
  return interval === undefined ? '' : threeDigits((interval.high - interval.low) / 2);
}

function numbers(chart: DrawnChart, isTitled: boolean): string {
  const hasPublished = chart.drawn.some(({ published }) => published !== undefined);
  const heads = [chart.x.label, 'series', 'least', 'mean', '95 % ±', 'greatest', 'finished', 'seeds'];
  if (hasPublished) heads.push('published mean', 'here');
  const rows = chart.drawn.flatMap(({ name, label = name, points, published = [] }) =>
    points.map(({ x, y, interval, live, reached, runs }) => {
      const cells = [
        typeof x === 'number' ? threeDigits(x) : x,
        label,
        ...(y === undefined
          ? ['', 'never', '', '']
          : [threeDigits(y.min), threeDigits(y.mean), plusMinus(interval), threeDigits(y.max)]),
        reached === live ? 'all' : `${threeDigits(reached)} of ${threeDigits(live)}`,
        threeDigits(runs.length),
      ];
      if (!hasPublished) return cells;
      const other = published.find((point) => point.x === x);
      if (other === undefined || y === undefined) return [...cells, '', ''];
      const percent = 100 * (y.mean / other.mean - 1);
      return [
        ...cells,
        threeDigits(other.mean),
        `${percent < 0 ? '−' : '+'}${threeDigits(Math.round(Math.abs(percent)))} %`,
      ];
    }),
  );
  return `${isTitled ? `<h3>${escaped(chart.title)}</h3>` : ''}${htmlTable(heads, rows)}`;
}
