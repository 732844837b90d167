/**
 * `npm run pictures`: takes every chapter and view of the built page at five sizes, light, dark, in forced colours and
 * in grey, for somebody to look at: a sheet for each of them, and each picture by itself, under
 * node_modules/.cache/tutti/pictures. Words behind the command choose those whose names hold one of them. Says on its
 * last lines which of them were wider than their window. Ten minutes of one core for all.
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
/** A figure that is not in sight is not drawn: its top goes to the window's. */
const top = (selector) => (page) =>
  page.locator(selector).evaluate((element) => {
    scrollTo({ top: element.getBoundingClientRect().top + scrollY - 60, behavior: 'instant' });
  });
const cutOff = async (page) => {
  await page.getByRole('button', { name: /^Frankfurt/ }).click();
  await page.getByTestId('break-cut-off').click();
};

/** Each with its address and what is done there; `show` is done again at each size. */
const scenes = [
  { name: 'race', address: '#race&t=300' },
  { name: 'race-bars', address: '#race&t=4000', show: at('#bars') },
  { name: 'race-dead', address: '#race&dead=0.2&t=3000' },
  { name: 'doubling', address: '#doubling&t=120' },
  { name: 'doubling-aws', address: '#doubling&n=64&network=aws&t=180' },
  { name: 'desk', address: '#desk&t=232' },
  { name: 'switch-off', address: '#switch-off&without=blacklist&t=300', show: at('[data-testid="switch-branches"]') },
  { name: 'matrix', address: '#matrix' },
  { name: 'break-it', address: '#break-it&lies=1&t=150' },
  {
    name: 'break-it-branches',
    address: '#break-it&lies=1&t=150',
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
  { name: 'lab-desk', address: `${lab}&verify-ms=20`, show: top('#desk-figure') },
  { name: 'lab-branches', address: lab, act: cutOff, show: top('#branches') },
  { name: 'lab-everyone', address: lab, show: top('#progress-figure') },
  { name: 'lab-completion', address: lab, show: top('#completion-figure') },
  { name: 'lab-growth', address: lab, show: top('#growth-figure') },
  { name: 'lab-result', address: 'run.html#n=64&t=300', show: top('#result') },
  { name: 'lab-beside', address: 'run.html#n=256&scheme=counting&beside=san-fermin,complete-graph,gossip&t=300' },
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
  { name: 'pixel', address: 'pixel.html#period=4' },
  { name: 'anonymous', address: 'anonymous.html#reveal' },
];

const words = process.argv.slice(2);
const wanted = scenes.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const folder = `${root}node_modules/.cache/tutti/pictures`;
if (words.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(`${folder}/sheets`, { recursive: true });
const { browser, address, close } = await openBuiltPage();
const findings = [];

async function settled(page) {
  await page.waitForFunction(
    () => document.documentElement.dataset.state !== 'running' && !document.querySelector('[aria-busy="true"]'),
    undefined,
    { timeout: 120_000 },
  );
  await page.evaluate(() => document.fonts.ready);
  // Resizes are observed, then drawn in the next frame, and some drawings ask a worker first.
  await page.waitForTimeout(250);
}

async function take({ name, address: of, act, show }) {
  // Motion stays, for what is told with it is what most see; a moment that a link names stands still.
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
  await sheet(name, taken);
  console.log(name);
}

/** All pictures of a scene on one: a row a look, as high as the largest of them is then. */
async function sheet(name, taken) {
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

for (const scene of wanted) await take(scene);
await close();
writeFileSync(`${folder}/findings.txt`, findings.map((line) => `${line}\n`).join(''));
console.log([`${wanted.length} scenes, sheets in ${folder}/sheets`, ...findings].join('\n'));
process.exit(0);
