import { escaped } from '@tutti/lab/drawing';
import { wholePage } from '../state/savedPage.ts';

/**
 * Returns the addresses of the built files that pages fetch, relative to the folder of the built files. The address of
 * the first page is the folder itself. Compressed copies, the service worker, the headers, the title card, the preview
 * pages of chapters, and the kernel with blst's own arithmetic are not included.
 */
export function offlineFiles(built: readonly string[]): readonly string[] {
  return built
    .filter((name) => !/\.gz$|^sw\.js$|^headers\.json$|^card\.png$|^chapter-|tutti_bls_upstream/.test(name))
    .toSorted()
    .map((name) => (name === 'index.html' ? './' : `./${name}`));
}

/** Returns the HTML page of a single run or slot without its data. `tutti open --single-file` inserts the data. */
export function singlePage(script: string, style: string): string {
  const body = `<body>
    <main><noscript>This page plays a run and needs JavaScript for that.</noscript></main>`;
  return wholePage('A run of Tutti', style, body, script);
}

/**
 * Puts the page's style sheets in their cascade order: the common sheet, then those of several pages, then the page's
 * own.
 */
export function sheetsInOrder(html: string, page: string): string {
  const sheet = /<link rel="stylesheet"[^>]*>/g;
  const rank = (link: string): number => {
    if (link.includes('/every-')) return 0;
    return link.includes(`/${page}-`) ? 2 : 1;
  };
  const ordered = (html.match(sheet) ?? []).toSorted((a, b) => rank(a) - rank(b));
  return html.replace(sheet, () => ordered.shift()!);
}

/**
 * Values of a page's head. A page contains `<!-- shell:NAME {…} -->` with its own values as JSON, and the build inserts
 * the HTML that all pages share. A browser therefore shows this HTML before any script runs.
 */
interface Head {
  readonly title: string;
  readonly description: string;
  /** Style sheets in addition to the common one. */
  readonly styles?: readonly string[];
  /** True if this page redirects old links to other pages. */
  readonly home?: boolean;
}

/**
 * Returns the base address of the pages, escaped for HTML, because preview cards need an absolute address. Default:
 * `/`.
 *
 * @throws RangeError for a value other than the web address of a folder.
 */
export function pageAddress(given: string | undefined): string {
  if (given === undefined || given === '') return '/';
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new RangeError(`TUTTI_PAGE_ADDRESS: expected an address such as https://HOST/FOLDER/, got ${given}`);
  return escaped(url.href.replace(/\/*$/, '/'));
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 2v5M3 13V9.5L8 7l5 2.5V13' fill='none' stroke='%232f5fa8' stroke-width='1.8'/%3E%3Ccircle cx='8' cy='2.4' r='1.9' fill='%23dd9a00'/%3E%3C/svg%3E";

/** Links that load the fonts of the first screen early. */
const fontLinks = ['serif-400', 'serif-600', 'sans-400', 'sans-600', 'wordmark'].map(
  (name) => `<link rel="preload" href="./src/style/fonts/${name}.woff2" as="font" type="font/woff2" crossorigin />`,
);

function head({ title, description, styles = [], home = false }: Head): string {
  const sheets = ['./src/style/page.css', ...styles].map((href) => `<link rel="stylesheet" href="${href}" />`);
  return `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${description}" />
    <title>${title}</title>
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:image" content="/card.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="The race: five ways to bring 1,024 signatures together, a square for each person." />
    <meta name="twitter:card" content="summary_large_image" />
    <link rel="icon" href="${icon}" />
    <script src="/first.js"${home ? ' data-home' : ''}></script>
    ${fontLinks.join('\n    ')}
    ${sheets.join('\n    ')}`;
}

/** Name of a page, its address and the text of the link to it. */
type PageLink = readonly [name: string, href: string, words: string];

/** Pages that a newcomer needs, in the order of the navigation, where they are always visible. */
const mainPages: readonly PageLink[] = [
  ['story', './', 'Story'],
  ['handel', './run.html', 'Lab'],
  ['live', './live.html', 'Live room'],
];

/** Other pages, in the menu at the end of the navigation. */
const otherPages: PageLink[] = [
  ['horn', './horn.html', 'Horn'],
  ['lean', './lean.html', 'Lean'],
  ['figure', './figure.html', 'Figure'],
];

/** Adds the pages of extensions to the menu of the navigation. */
export function addPages(links: readonly PageLink[]): void {
  otherPages.push(...links);
}

/** Values of a page's masthead. */
interface Masthead {
  /** Name of the page in the navigation. */
  readonly page: string;
  readonly title: string;
  /** True if the page can open recordings. */
  readonly opens?: boolean;
}

function masthead({ page, title, opens = false }: Masthead): string {
  const choices = (links: readonly PageLink[], indent: string) =>
    links
      .map(([name, href, words]) => {
        const current = name === page ? ' aria-current="page"' : '';
        return `<a class="choice" href="${href}"${current} data-testid="to-${name}">${words}</a>`;
      })
      .join(`\n${indent}`);
  const open = `<button type="button" class="quiet" data-testid="open-recording" id="open-recording" title="Opens a file that tutti simulate --record wrote. You can also drop the file anywhere on the page">Open a recording</button>
        <input type="file" id="recording-file" data-testid="recording-file" aria-label="A recording" hidden />
        `;
  return `<header class="masthead">
      <p class="wordmark">Tutti</p>
      <nav class="switch protocols" aria-label="Pages">
        ${choices(mainPages, '        ')}
        <details class="more" id="more-pages">
          <summary class="choice" data-testid="more-pages">More</summary>
          <div class="more-list">
            ${choices(otherPages, '            ')}
          </div>
        </details>
      </nav>
      <h1 id="title">${title}</h1>
      <div class="masthead-tools">
        ${opens ? open : ''}<button type="button" class="quiet" data-testid="copy-link" id="copy-link" title="Copies a link to the current view and moment">Copy link</button>
        <button type="button" class="quiet" data-testid="theme" id="theme">Dark</button>
      </div>
    </header>
    <noscript><p class="noscript">This page simulates its runs and needs JavaScript. The text below remains readable; <code>npx tutti simulate</code> prints the same numbers in a terminal.</p></noscript>`;
}

/** Values of a page's dock. */
interface DockForm {
  /** Label of the slider. */
  readonly scrub: string;
  /** Description of one step of the slider. */
  readonly step: string;
  /** Factors by which the run can be slowed down; a factor below 1 speeds the run up. */
  readonly speeds: readonly number[];
}

function dock({ scrub, step, speeds }: DockForm): string {
  const options = speeds.map((slowdown) => `<option value="${slowdown}">${speedWords(slowdown)}</option>`).join('');
  const keys = [
    ['<kbd>Space</kbd>', 'play and pause'],
    ['<kbd>,</kbd> <kbd>.</kbd> or <kbd>&larr;</kbd> <kbd>&rarr;</kbd>', `previous and ${step.replace(/^the /, '')}`],
    ['<kbd>[</kbd> <kbd>]</kbd>', 'previous and next mark on the timeline'],
    [
      '<kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd>',
      'zoom the timeline in, out or to its full length; also Ctrl and the mouse wheel',
    ],
    ['<kbd>/</kbd>', 'search for a node or a message'],
    ['<kbd>T</kbd>', 'large type for presentations'],
    ['Swipe', 'on a figure: next or previous mark'],
    ['<kbd>?</kbd>', 'this sheet'],
  ].map(([key, words]) => `<div><dt>${key}</dt><dd>${words}</dd></div>`);
  return `<section class="dock" id="dock" aria-label="Timeline">
      <div class="dock-inner">
        <div class="dock-buttons">
          <button type="button" id="step-back" data-testid="step-back" aria-label="One step back" disabled>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M12 3 6 8l6 5zM4 3v10" /></svg>
          </button>
          <button type="button" id="play" data-testid="play" class="primary" aria-label="Play" disabled>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path class="icon-play" d="M4 2.5 13 8l-9 5.5z" /><path class="icon-pause" d="M5 3v10M11 3v10" /></svg>
          </button>
          <button type="button" id="step" data-testid="step" aria-label="One step forward" disabled>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m4 3 6 5-6 5zM12 3v10" /></svg>
          </button>
        </div>
        <output class="clock" id="clock" for="scrub"></output>
        <div class="track" id="track">
          <ol class="marks" id="marks" aria-hidden="true"></ol>
          <svg id="track-curve" aria-hidden="true" preserveAspectRatio="none"></svg>
          <ol class="track-times" id="track-times" aria-hidden="true"></ol>
          <input id="scrub" data-testid="scrub" type="range" min="0" max="0" step="100" value="0" aria-label="${scrub}" disabled />
          <button type="button" class="unzoom" id="unzoom" data-testid="unzoom" hidden></button>
        </div>
        <label class="speed"><span class="visually-hidden">Speed</span>
          <select id="speed" data-testid="speed" title="Each chapter takes at least four seconds"><option value="story" selected>automatic</option>${options}</select>
        </label>
        <button type="button" class="quiet help" id="help-open" data-testid="help" aria-label="? Keys" title="Keys">?</button>
      </div>
    </section>
    <dialog id="help" class="help-sheet" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl>${keys.join('')}</dl>
      <form method="dialog"><button type="button" id="talk" data-testid="talk">Large type</button> <button type="submit">Close</button></form>
    </dialog>`;
}

/** Describes a speed of the clock as HTML. */
function speedWords(slowdown: number): string {
  if (slowdown === 1) return 'real time';
  return slowdown < 1 ? `${1 / slowdown}&times; faster` : `${slowdown.toLocaleString('en')}&times; slower`;
}

const parts: Readonly<Record<string, (form: never) => string>> = { head, masthead, dock };

/** Returns a page's HTML with the shared parts inserted. @param address address of the built page, if known. */
export function withShell(html: string, address?: string): string {
  const whole = html.replaceAll(/<!-- shell:(\w+) ([\s\S]*?) -->/g, (_, name: string, form: string) => {
    const part = parts[name];
    if (part === undefined)
      throw new RangeError(`template of a page: expected ${Object.keys(parts).join(' or ')}, got ${name}`);
    return part(JSON.parse(form) as never);
  });
  return whole.replace('content="/card.png"', () => `content="${pageAddress(address)}card.png"`);
}
