import { type DrawnChart, threeDigits } from '@tutti/lab';
import { escaped, inlineSvg, narrow, wide } from '@tutti/lab/drawing';
import { darkVariables, lightVariables, pageStyle } from '@tutti/lab/theme';
import type { Interval } from '@tutti/simulation';
import { seedsText } from '../output/text.ts';
import { captionOf, chartNumber, figureNumber } from './caption.ts';
import { bibtex, commitText, type Provenance, type RunFacts } from './document.ts';
import { departureOf, type Finding, verdictText, verdictWord } from './finding.ts';

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

/**
 * Style of the report: the colours and type of the visualizer, one column of figures, and the table of contents at the
 * side of a wide window.
 */
const reportStyle = `
:root{color-scheme:light dark;${lightVariables};
--serif:"Iowan Old Style","Palatino Nova","Palatino Linotype",Palatino,Charter,Georgia,"Times New Roman",serif;
--sans:-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{${darkVariables}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 var(--sans);font-variant-numeric:tabular-nums}
h1{font:600 28px/1.2 var(--serif);margin:0 0 8px}
h2{font:600 21px/1.25 var(--serif);margin:0}
h3{font:600 15px/1.4 var(--sans);margin:24px 0 8px}
p{margin:8px 0;max-width:68ch}
a{color:var(--s0)}
code{font:13px var(--mono);overflow-wrap:anywhere}
.page{max-width:1160px;margin:0 auto;padding:32px 24px 96px;display:grid;grid-template-columns:280px minmax(0,1fr);column-gap:56px}
header,main{grid-column:2;min-width:0}
.contents{grid-column:1;grid-row:1/span 2;position:sticky;top:32px;align-self:start;max-height:calc(100vh - 64px);overflow-y:auto;font-size:14px}
.contents ol{list-style:none;margin:12px 0 24px;padding:0}
.contents li{display:grid;grid-template-columns:20px 1fr;padding:3px 0}
.contents a{color:inherit;text-decoration:none}
.contents a:hover{text-decoration:underline}
/* Next to the figures there is space for the contents, which are then always open. */
@media (min-width:961px){.contents details::details-content{content-visibility:visible;display:block;block-size:auto}
.contents summary{list-style:none;pointer-events:none}.contents summary::-webkit-details-marker{display:none}}
.contents summary{color:var(--ink);font-weight:600;font-size:15px}
.facts{margin:16px 0 28px;font-size:14px}
.facts div{display:grid;grid-template-columns:84px minmax(0,1fr);gap:12px;padding:2px 0}
.facts dt{color:var(--muted)}
.facts dd{margin:0;overflow-wrap:anywhere}
.notable{margin:8px 0;padding-left:20px}
.sub{color:var(--muted);font-size:14px}
section+h1{margin-top:72px}
section{border-top:1px solid var(--line);padding:28px 0 20px;scroll-margin-top:8px}
.verdict{border-left:3px solid var(--s3);padding:2px 0 2px 14px;margin:14px 0}
.verdict.not{border-color:var(--s2)}
.held{color:var(--s3)}
.not-held{color:var(--s2)}
figure{margin:20px 0 28px}
figcaption{max-width:68ch;margin-top:8px;font-size:14px;color:var(--muted)}
figcaption strong{color:var(--ink)}
.chart{display:block;width:100%;height:auto;max-width:720px;font-family:var(--sans)}
.chart.narrow{display:none}
pre{max-width:100%;overflow-x:auto;font:13px/1.45 var(--mono)}
details{margin:14px 0}
summary{cursor:pointer;color:var(--muted);font-size:14px}
.table{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;margin:10px 0}
th,td{text-align:right;padding:4px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
th{font-weight:600;color:var(--muted)}
th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}
:focus-visible{outline:2px solid var(--s0);outline-offset:2px}
@media (max-width:960px){.page{display:block;padding:20px 18px 64px}.contents{position:static;max-height:none;margin-bottom:28px}}
@media (max-width:620px){.chart.wide{display:none}.chart.narrow{display:block;max-width:400px}h1{font-size:24px}}
@media print{
.page{display:block;max-width:none;padding:0}.contents{display:none}
body{background:none;font-size:10.5pt}
.chart.wide{display:block}.chart.narrow{display:none}
figure,.verdict,tr{break-inside:avoid}
h1,h2,h3{break-after:avoid}
details:not([open]){display:none}}
${pageStyle}
`;

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
