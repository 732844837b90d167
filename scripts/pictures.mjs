/**
 * Takes pictures of the page of the last build.
 *
 * `npm run pictures`: takes pictures of every chapter and view in five sizes, light, dark, in forced colours and in
 * grey, for visual inspection. These pictures are written to node_modules/.cache/tutti/pictures, one sheet per scene
 * and each picture separately. Arguments after the command select scenes whose names contain one of them. The last
 * lines of the output list the scenes that were wider than their window. All scenes together take ten minutes on one
 * core.
 *
 * `npm run readme-pictures`: takes the pictures of README.md and the page's title card. This command also stores the
 * words on the pictures, with which a test checks that a picture shows the present page.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openBuiltPage } from './builtPage.mjs';
import { root } from './run.mjs';

const sizes = [
  [390, 844],
  [844, 390],
  [820, 1180],
  [1440, 900],
  [2560, 1440],
];
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
  grey: { colorScheme: 'light', isGrey: true },
};

const lab = 'run.html#n=64&scheme=counting&attack=invalid:0.3&node=1&t=180';
const at = (selector) => (page) => page.locator(selector).first().scrollIntoViewIfNeeded();
/** Figures outside the window are not drawn, so the page scrolls to the figure's top. */
const top = (selector) => (page) =>
  page.locator(selector).evaluate((element) => {
    scrollTo({ top: element.getBoundingClientRect().top + scrollY - 60, behavior: 'instant' });
  });
const cutOff = async (page) => {
  await page.getByRole('button', { name: /^Frankfurt/ }).click();
  await page.getByTestId('break-cut-off').click();
};

/** Scenes, each with an address and an action; `show` is repeated in each size. */
const scenes = [
  { name: 'race', address: '#race&t=300' },
  { name: 'race-bars', address: '#race&t=4000', show: at('#bars') },
  { name: 'race-dead', address: '#race&dead=0.2&t=3000' },
  { name: 'doubling', address: '#doubling&t=120' },
  { name: 'doubling-aws', address: '#doubling&n=64&network=aws&t=180' },
  { name: 'desk', address: '#desk&t=232' },
  { name: 'switch-off', address: '#switch-off&without=blacklist&t=300', show: at('[data-testid="switch-branches"]') },
  { name: 'matrix', address: '#matrix' },
  { name: 'break-it', address: '#break-it&byzantine&t=150' },
  {
    name: 'break-it-branches',
    address: '#break-it&byzantine&t=150',
    act: cutOff,
    show: at('[data-testid="break-branches"]'),
  },
  { name: 'growth', address: '#growth&t=200' },
  { name: 'horn', address: '#horn&t=12000' },
  { name: 'horn-eve', address: '#horn&n=65536&eve=0.3&t=22000', show: at('#horn-said') },
  { name: 'live', address: '#live' },
  { name: 'lab', address: lab },
  { name: 'lab-tree', address: lab, show: top('#tree-figure') },
  { name: 'lab-tree-1024', address: 'run.html#n=1024&scheme=counting&node=3&t=240', show: top('#tree-figure') },
  { name: 'lab-regions', address: `${lab}&ring=region`, show: top('#flight-figure') },
  { name: 'lab-map', address: `${lab}&view=map`, show: top('#flight-figure') },
  { name: 'lab-levels', address: `${lab}&view=levels`, show: top('#flight-figure') },
  { name: 'lab-time-space', address: lab, show: top('#time-space-figure') },
  { name: 'lab-queue', address: `${lab}&verify-ms=20`, show: top('#queue-figure') },
  { name: 'lab-branches', address: lab, act: cutOff, show: top('#branches') },
  { name: 'lab-everyone', address: lab, show: top('#progress-figure') },
  { name: 'lab-completion', address: lab, show: top('#completion-figure') },
  { name: 'lab-growth', address: lab, show: top('#growth-figure') },
  { name: 'lab-result', address: 'run.html#n=64&t=300', show: top('#result') },
  { name: 'lab-compare', address: 'run.html#n=256&scheme=counting&compare=san-fermin,complete-graph,gossip&t=300' },
  { name: 'lab-gossip', address: 'run.html#protocol=gossip&n=64&scheme=counting&t=300' },
  { name: 'lab-fields', address: lab, act: (page) => page.getByTestId('word-other').click() },
  { name: 'lab-4096', address: 'run.html#n=4096&scheme=counting&t=200', show: top('#tree-figure') },
  { name: 'horn-three', address: 'horn.html' },
  { name: 'horn-slot', address: 'horn.html#protocol=horn&n=65536&attack=griefing:0.3&t=12500' },
  {
    name: 'horn-chart',
    address: 'horn.html#protocol=horn&n=65536&attack=griefing:0.3&t=12500',
    show: top('#chart-figure'),
  },
  { name: 'horn-network', address: 'horn.html#model=network' },
  { name: 'lean', address: 'lean.html#t=4000&job=greedy:30' },
  { name: 'figure', address: 'figure.html' },
  { name: 'room', address: 'live.html#live=tabs:pictures' },
];

const folder = `${root}node_modules/.cache/tutti/pictures`;

/** Waits until nothing on the page is running or busy; with `isReady`, until the page is ready. */
async function still(page, isReady) {
  await page.waitForFunction(
    (isReady) => {
      const { state } = document.documentElement.dataset;
      return (isReady ? state === 'ready' : state !== 'running') && !document.querySelector('[aria-busy="true"]');
    },
    isReady,
    { timeout: 120_000 },
  );
  await page.evaluate(() => document.fonts.ready);
}

async function settled(page) {
  await still(page, false);
  // Resizes are observed and then drawn in the next frame, and some drawings first ask a worker.
  await page.waitForTimeout(250);
}

/** Takes the pictures of a scene in all sizes and looks. @returns the problems of the scene. */
async function take({ browser, address }, { name, address: of, act, show }) {
  const findings = [];
  // Motion remains enabled, as for most users; a link to a moment stops the run.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => findings.push(`${name}: ${message}`));
  const session = await context.newCDPSession(page);
  await page.goto(`${address}${of}`);
  await settled(page);
  if (act) {
    await act(page);
    await settled(page);
  }
  const taken = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await settled(page);
    if (show) await show(page).catch(({ message }) => findings.push(`${name} at ${width}: ${message.split('\n')[0]}`));
    await settled(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over > 0) findings.push(`${name} at ${width} x ${height}: ${over} px wider than its window`);
    for (const [look, { isGrey = false, colorScheme, forcedColors = 'none' }] of Object.entries(looks)) {
      await page.emulateMedia({ colorScheme, forcedColors });
      await session.send('Emulation.setEmulatedVisionDeficiency', { type: isGrey ? 'achromatopsia' : 'none' });
      await page.waitForTimeout(120);
      const path = `${folder}/${name}-${width}-${look}.png`;
      await page.screenshot({ path });
      taken.push({ path, width, height, look });
    }
  }
  await context.close();
  await sheet(browser, name, taken);
  console.log(name);
  return findings;
}

/** Combines all pictures of a scene on one sheet: one row per look, as high as the row's largest picture. */
async function sheet(browser, name, taken) {
  const page = await browser.newPage({ viewport: { width: 1900, height: 800 } });
  const rowOf = (look) =>
    taken
      .filter((one) => one.look === look)
      .map(
        ({ path, width, height }) =>
          `<img style="aspect-ratio:${width}/${height};height:${Math.min(420, (520 * height) / width)}px" src="data:image/png;base64,${readFileSync(path).toString('base64')}">`,
      )
      .join('');
  await page.setContent(
    `<body style="margin:6px;background:#888"><style>div{display:flex;gap:6px;margin-bottom:6px;align-items:start}</style>${Object.keys(
      looks,
    )
      .map((look) => `<div>${rowOf(look)}</div>`)
      .join('')}`,
  );
  await page.screenshot({ path: `${folder}/sheets/${name}.png`, fullPage: true });
  await page.close();
}

/** Pictures of README.md, with their addresses and sizes. */
export const readmePictures = [
  { name: 'race', address: '#race&t=333', width: 1440, height: 720 },
  {
    name: 'visualizer',
    address: 'run.html#n=64&scheme=counting&attack=invalid:0.2&node=1&t=180',
    width: 1440,
    height: 1600,
  },
  // The slot recorded when the page is built, stopped at 12 s.
  { name: 'horn', address: 'horn.html#t=12000', width: 1440, height: 900 },
];

/** Opens the address of a picture, and waits until the page is idle. */
export async function showPicture(page, base, { address, width, height }) {
  await page.setViewportSize({ width, height });
  await page.goto(`${base}${address}`);
  await still(page, true);
}

/**
 * Returns the visible words of the page: its title, its menu, headings and buttons. Numbers, which depend on the runs,
 * are omitted.
 */
export function wordsOfPage(page) {
  return page.evaluate(() => {
    const seen = [...document.querySelectorAll('header a, header nav *, h1, h2, h3, button')].filter((element) =>
      element.checkVisibility(),
    );
    const words = seen.map((element) =>
      element.innerText
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\d[\d,.]*/g, '#')
        .trim(),
    );
    return [document.title, ...new Set(words.filter((text) => text !== ''))];
  });
}

/** File of the page's title card, which other sites show with a link to the page (`og:image`). */
const titleCard = 'apps/visualizer/public/card.png';

/**
 * The race at the time at which Handel is finished, without any other part of the page, in the usual size of title
 * cards.
 */
const card = { address: '#race&t=400', width: 1200, height: 630 };
const cardStyle = `
:is(.masthead nav, .masthead-tools, .chapter-links, .dock, .prose, .race-question, .stage-foot, .telling, .colophon),
.race-grid .checks, main > .chapter:not(#race) { display: none !important; }
.masthead { display: block !important; margin-top: 62px; border: 0 !important; }
.wordmark { font-size: 60px !important; }
.masthead h1 { margin: 18px 0 24px !important; color: var(--ink) !important; font-size: 41px !important; line-height: 1.2; }
main > .chapter { display: block !important; border: 0 !important; }
#race .stage { position: static; height: auto !important; padding: 0 !important; }
.race-grid { --side: 206px !important; grid-template-columns: repeat(5, 206px) !important; gap: 18px !important; }
.race-grid .lane figcaption { display: block !important; }
.race-grid h3 { font-size: 23px !important; }
.race-grid .lane .count { display: block; font-size: 20px !important; text-align: left !important; }
`;

/** Takes the title card in a browser that shows the page. */
async function takeTitleCard(browser, base) {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    // This script inserts the style, because the page's policy would reject it.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await showPicture(page, base, card);
  await page.addStyleTag({ content: cardStyle });
  await page.evaluate(() => scrollTo(0, 0));
  // The fields are resized in the following frames.
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${root}${titleCard}` });
  await context.close();
}

async function everyScene(opened, words) {
  const wanted = scenes.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (words.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/sheets`, { recursive: true });
  const findings = [];
  for (const scene of wanted) findings.push(...(await take(opened, scene)));
  writeFileSync(`${folder}/findings.txt`, findings.map((line) => `${line}\n`).join(''));
  console.log([`${wanted.length} scenes, sheets in ${folder}/sheets`, ...findings].join('\n'));
}

async function ofReadme({ browser, address }) {
  const words = {};
  for (const picture of readmePictures) {
    const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await showPicture(page, address, picture);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${root}docs/images/${picture.name}.png` });
    words[picture.name] = await wordsOfPage(page);
    await context.close();
  }
  await takeTitleCard(browser, address);
  writeFileSync(`${root}docs/images/words.json`, `${JSON.stringify(words, undefined, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const opened = await openBuiltPage();
  await (words[0] === '--readme' ? ofReadme(opened) : everyScene(opened, words));
  await opened.close();
  process.exit(0);
}
