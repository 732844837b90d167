import { type DrawnChart, threeDigits } from '@tutti/lab';
import { escaped, inlineSvg, narrow, wide } from '@tutti/lab/drawing';
import type { Interval } from '@tutti/simulation';
import { seedsText } from '../output/text.ts';
import { captionOf, chartNumber, figureNumber } from './caption.ts';
import { bibtex, commitText, type Provenance, type RunFacts } from './document.ts';
import { departureOf, type Finding, verdictText, verdictWord } from './finding.ts';
import { reportStyle } from './reportStyle.ts';

/** Facts in the report's header, and the chapters that follow the figures. */
export interface ReportFacts extends RunFacts {
  readonly provenance: Provenance;
  /** Date of the report, for example `2026-11-24`. */
  readonly date: string;
  /** Description of the machine, as returned by `machineText`. */
  readonly machine: string;
  /** Chapters after the figures; empty in a report that contains only some of the figures. */
  readonly chapters: readonly TableChapter[];
}

/**
 * Returns the report: one HTML file without external resources. The same results and facts yield the same file. The
 * head of the report precedes the table of contents, so that a phone shows the subject first. In a wide window, the
 * table of contents is at the side.
 */
export function reportOf(findings: readonly Finding[], facts: ReportFacts): string {
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
${header(findings, facts)}
${contents(findings, facts)}
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

const title = 'Reproduction of the figures of Handel';

function header(findings: readonly Finding[], facts: ReportFacts): string {
  const held = findings.filter(({ verdict }) => verdict.holds);
  const differing = held.filter(({ verdict }) => verdict.differs !== undefined).length;
  return `<header>
<h1>${title}</h1>
<p>${threeDigits(held.length)} of ${threeDigits(findings.length)} claims held${differing === 0 ? '' : `, ${threeDigits(differing)} of them with numbers that differ from the published ones by a quarter or more`}. Figures and claims of <em>Handel: Practical Multi-Signature Aggregation for
Large Byzantine Committees</em> (version 1.03), run under virtual time.</p>
${notable(findings)}
<dl class="facts">
${factsOf(findings, facts)
  .map(([name, text]) => `<div><dt>${name}</dt><dd>${escaped(text)}</dd></div>`)
  .join('\n')}
</dl>
</header>`;
}

function contents(findings: readonly Finding[], { chapters }: ReportFacts): string {
  return `<nav class="contents" aria-label="Figures">
<details>
<summary>Figures and claims</summary>
<ol>
${findings.map(contentsLine).join('\n')}
</ol>
${chapters.map(chapterContents).join('\n')}
<p><a href="#cite">How to cite</a></p>
</details>
</nav>`;
}

/** Returns links to the claims that did not hold, and to the claims whose numbers differ. */
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
  const seeds = all.flatMap(({ points }) => points.flatMap(({ runs }) => runs.map(({ seed }) => seed)));
  return [
    ['Version', `Tutti ${version}`],
    ['Commit', commit === undefined ? 'none (installed package)' : commitText(commit)],
    ['Date', facts.date],
    ['Machine', facts.machine],
    ...(facts.network === undefined ? [] : [['Network', facts.network] satisfies [string, string]]),
    ...(facts.inputs ?? []).map(({ file, sha256 }): [string, string] => ['Input', `${file}, SHA-256 ${sha256}`]),
    ['Seeds', seeds.length === 0 ? 'none' : `${seedsText(seeds)}; each caption lists the seeds of its figure`],
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

/** Returns the title of a figure with its number, for example `Figure 3: Time to the threshold`. */
function label({ experiment }: Finding): string {
  return `Figure ${figureNumber(experiment.id)}: ${experiment.title}`;
}

function section(finding: Finding): string {
  const { experiment, figure, verdict, command } = finding;
  const word = verdictWord(finding);
  const departure = departureOf(finding);
  return `<section id="${experiment.id}">
<h2>${escaped(label(finding))}</h2>
<p class="sub">Handel ${escaped(experiment.section)}</p>
<p>${escaped(experiment.claim)}</p>
<p class="verdict${verdict.holds ? '' : ' not'}"><strong class="${verdict.holds ? 'held' : 'not-held'}">${word[0]!.toUpperCase()}${word.slice(1)} here:</strong> ${escaped(verdictText(finding))}.${departure === undefined ? '' : ` ${escaped(departure)}`}</p>
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

/** Returns half the width of an interval; empty if there is no interval. */
function plusMinus(interval: Interval | undefined): string {
  return interval === undefined ? '' : threeDigits((interval.high - interval.low) / 2);
}

function numbers(chart: DrawnChart, isTitled: boolean): string {
  const hasPublished = chart.drawn.some(({ published }) => published !== undefined);
  const heads = [chart.x.label, 'series', 'min', 'mean', '95 % ±', 'max', 'finished', 'seeds'];
  if (hasPublished) heads.push('published mean', 'difference');
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

/** Returns a table in HTML; the texts of the cells are escaped. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((one) => `<${tag}>${escaped(one)}</${tag}>`).join('')}</tr>`;
  return `<div class="table"><table><thead>${row(heads, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
}

/** Chapter of tables in the report, after the figures of Handel. */
export interface TableChapter {
  /** Heading, which the table of contents also shows. */
  readonly title: string;
  /** HTML of the chapter's introductory paragraph. */
  readonly opening: string;
  readonly sections: readonly TableSection[];
}

interface TableSection {
  /** Anchor, which is unique among all sections of the report. */
  readonly id: string;
  /** Title as plain text without HTML escapes. */
  readonly title: string;
  /** HTML below the title. */
  readonly body: string;
}
