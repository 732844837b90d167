/**
 * `npm run bench -- page [NODES]`, or `npm run bench -- page frames`, which only prints the frame rates: the cost of
 * the built page on a slow machine, in Chromium at a quarter of its speed. The benchmark measures the size of a first
 * visit, the time to the first picture, the frame rate of runs compared with an empty page, and the time to draw a
 * scrubbed moment. For each page and chapter, the benchmark also measures the layout shift during loading and the
 * longest task of the page's thread. The benchmark prints the tables, and writes them to
 * docs/benchmarks/page-and-cli.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { median } from '../../packages/wasm-bls/bench/sampling.mjs';
import { openBuiltPage } from '../builtPage.mjs';
import { root } from '../run.mjs';
import { table, writeRecord } from './frame.mjs';

const slowdown = 4;
const app = `${root}apps/visualizer/`;
const { browser, address, close } = await openBuiltPage();

const contextOptions = { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' };

/**
 * Opens a page that records its longest tasks and the time of its first painted field, and that runs at a quarter of
 * its speed until that limit is removed. The browser slows a page down by keeping a core busy for it, even while the
 * page is idle. Therefore only one page is slow at a time.
 */
async function slowPage() {
  const context = await browser.newContext(contextOptions);
  const page = await context.newPage();
  // A new window first loads some internal pages of the browser.
  await page.waitForTimeout(2000);
  const session = await context.newCDPSession(page);
  const slow = (rate) => session.send('Emulation.setCPUThrottlingRate', { rate });
  await slow(slowdown);
  await page.addInitScript(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'longtask', buffered: true });
    const look = () => {
      if (document.documentElement.dataset.state === 'ready') globalThis.readyMs ??= performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.addInitScript(keepShifts);
  return { page, session, slow, close: () => context.close() };
}

/** Opens a slow page, returns the result of `use`, and closes the page. */
async function inSlowPage(use) {
  const opened = await slowPage();
  const made = await use(opened);
  await opened.close();
  return made;
}

/** Adds up the layout shifts without user input, as fractions of the window, as browsers measure them. */
function keepShifts() {
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
}

const framesIn = (page, ms) =>
  page.evaluate(
    (length) =>
      new Promise((told) => {
        let frames = 0;
        const began = performance.now();
        const count = (now) => {
          if (now - began >= length) told((frames * 1000) / (now - began));
          else {
            frames++;
            requestAnimationFrame(count);
          }
        };
        requestAnimationFrame(count);
      }),
    ms,
  );

/** Returns the frames per second of a page that is brought to the front. */
async function rateOf(page, slow) {
  await page.bringToFront();
  await slow(slowdown);
  // Previously hidden content is repainted first.
  await framesIn(page, 500);
  const rate = await framesIn(page, 1500);
  await slow(1);
  return rate;
}

const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.state === 'ready', undefined, { timeout: 300_000 });

/**
 * Returns the CPU time of the page's longest task while it opens an address and draws its run, ms. This CPU time is not
 * affected by other programs on the machine.
 */
async function longestWork(of) {
  const context = await browser.newContext(contextOptions);
  const page = await context.newPage();
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await page.goto(of);
  await ready(page);
  await page.waitForTimeout(1000);
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  await context.close();
  // A browser also has internal pages. The page's thread is the one that evaluates its scripts.
  const own = traceEvents.find(({ name, args }) => name === 'EvaluateScript' && args.data?.url?.startsWith(address));
  // A busy machine may lose events of the trace.
  if (own === undefined) return longestWork(of);
  const { pid, tid } = own;
  const tasks = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/**
 * Returns the CPU time of the page's thread per frame, over a hundred frames, and per scrubbed moment, over 20 moments,
 * ms. Each value is the minimum of three measurements, since a shared core makes measurements longer.
 */
async function workOfFrames(of) {
  const context = await browser.newContext(contextOptions);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(of);
  await ready(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workMs = async (what, frames) => {
    const now = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
    };
    let least = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 3; turn++) {
      const before = await now();
      await page.evaluate(what, frames);
      least = Math.min(least, ((await now()) - before) / frames);
    }
    return least;
  };
  const scrubbedMs = await workMs(scrubbed, 20);
  const playedMs = await workMs(async (frames) => {
    const scrub = document.querySelector('#scrub');
    scrub.value = '0';
    scrub.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('#play').click();
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
  }, 100);
  await context.close();
  return { playedMs, scrubbedMs };
}

/**
 * Scrubs to this number of moments of the run, forwards and backwards. @returns the time to draw each moment, ms,
 * ascending.
 */
const scrubbed = async (moments) => {
  const scrub = document.querySelector('#scrub');
  const times = [];
  for (let at = 1; at <= moments; at++) {
    scrub.value = String((Number(scrub.max) * ((at * 7) % moments)) / moments);
    const began = performance.now();
    scrub.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(requestAnimationFrame);
    await new Promise((drawn) => setTimeout(drawn));
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
};

/** Plays the page's run from its beginning. */
const playFromStart = (page) =>
  page.evaluate(() => {
    document.querySelector('#scrub').value = '0';
    document.querySelector('#scrub').dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('#play').click();
  });

/**
 * Runs both measurements three times. Returns the median frame rate of the page and its ratio to an empty page's rate.
 */
async function comparedWith(empty, playing) {
  const turns = [];
  for (let turn = 0; turn < 3; turn++) turns.push({ without: await empty(), rate: await playing() });
  const share = median(turns.map(({ without, rate }) => rate / without));
  return `${(100 * share).toFixed(0)} % (${median(turns.map(({ rate }) => rate)).toFixed(0)} per second)`;
}

/** Alternately measures a page that plays from its beginning and an empty page. */
async function playedFrames({ page, slow }) {
  await slow(1);
  return inSlowPage(async (empty) => {
    await empty.page.goto('about:blank');
    return comparedWith(
      () => rateOf(empty.page, empty.slow),
      async () => {
        await playFromStart(page);
        return rateOf(page, slow);
      },
    );
  });
}

/**
 * Alternately measures a chapter, from its first picture on, and an empty page, while the neighbouring chapters load.
 */
function playedAtOnce(of) {
  const rate = (address) =>
    inSlowPage(async ({ page }) => {
      await page.goto(address);
      if (address === of) await ready(page);
      return framesIn(page, 1500);
    });
  return comparedWith(
    () => rate('about:blank'),
    () => rate(of),
  );
}

/** Opens an address. @returns the time until the run at the address is shown, and the longest task until then, ms. */
async function openedPage(page, of) {
  await page.goto(of);
  await page.waitForFunction(() => globalThis.readyMs !== undefined, undefined, { timeout: 300_000 });
  return page.evaluate(() => ({ readyMs: globalThis.readyMs, longest: globalThis.longest }));
}

/** Measures every page and every chapter of the first page: layout shift in 6 seconds, and the longest task. */
async function everyPage() {
  const chapters = [...readFileSync(`${app}index.html`, 'utf8').matchAll(/<section class="chapter" id="([^"]+)"/g)];
  const names = readdirSync(app)
    .filter((name) => name.endsWith('.html'))
    .flatMap((name) => (name === 'index.html' ? chapters.map(([, id]) => `#${id}`) : [name]));
  const rows = [];
  for (const name of names) {
    const shift = await inSlowPage(async ({ page }) => {
      await page.goto(address + name);
      await page.waitForTimeout(6000);
      return page.evaluate(() => globalThis.shifted);
    });
    // The minimum of three measurements, since a shared core makes measurements longer.
    const longest = [];
    for (let turn = 0; turn < 3; turn++) longest.push(await longestWork(address + name));
    rows.push({ name, shift, longestMs: Math.min(...longest) });
  }
  return rows;
}

/** Number of times that a page is opened, each time with a new browser profile. */
const turns = 5;
const ofTurns = `median of ${turns} (min to max)`;
const spread = (values, digits) => {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
};

/** Returns the text of a duration, converted to the speed of a slow machine. */
const slow = (ms) => `${(ms * slowdown).toFixed(0)} ms`;
const ofFrames = 'frames relative to an empty page, median of 3';
const wantedFrames = '83 % (50 of 60)';
const lab = `${address}run.html`;
const broken = `${address}#break-it`;

/** Measures the time until the first page and a run are shown, and the speed of playing and scrubbing that run. */
async function opening(row, nodes, run) {
  const bytes = [];
  const readySeconds = [];
  const longestOf = { first: [], run: [] };
  for (let turn = 0; turn < turns; turn++)
    await inSlowPage(async ({ page, session }) => {
      await session.send('Network.enable');
      let loaded = 0;
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        loaded += encodedDataLength;
      });
      const found = await openedPage(page, address);
      // The neighbouring chapters load after the race is shown.
      bytes.push(loaded);
      readySeconds.push(found.readyMs / 1000);
      longestOf.first.push(found.longest);
    });
  for (let turn = 0; turn < turns; turn++)
    await inSlowPage(async (opened) => {
      longestOf.run.push((await openedPage(opened.page, run)).longest);
      if (turn < turns - 1) return;
      row('first page: loaded, compressed', `${(Math.min(...bytes) / 1000).toFixed(0)} kB`, 'under 250 kB');
      row(`first page: time until the race is visible, ${ofTurns}`, `${spread(readySeconds, 2)} s`, 'under 2 s');
      row(`first page: longest task, ${ofTurns}`, `${spread(longestOf.first, 0)} ms`, 'under 200 ms');
      row(
        `${nodes} nodes: longest task until the drawing is complete, ${ofTurns}`,
        `${spread(longestOf.run, 0)} ms`,
        'under 200 ms',
      );
      const times = (await opened.page.evaluate(scrubbed, 20)).map((ms) => `${ms.toFixed(0)} ms`);
      row(`${nodes} nodes: time to draw a selected moment, median of 20`, times[10], 'under 100 ms');
      row(`${nodes} nodes: time to draw a selected moment, maximum of 20`, times[19], '');
      row(`${nodes} nodes playing: ${ofFrames}`, await playedFrames(opened), wantedFrames);
    });
}

/** Compares the other animations with an empty page. */
async function playing(row) {
  const named = [
    ['run.html after opening, 64 nodes', lab],
    ['run.html at the figure Everyone, 64 nodes', lab, '#progress'],
    ['Break it', broken],
  ];
  for (const [name, of, figure] of named)
    await inSlowPage(async (opened) => {
      await openedPage(opened.page, of);
      // The neighbouring chapters have loaded.
      await opened.page.waitForTimeout(3000);
      if (figure !== undefined) await opened.page.locator(figure).scrollIntoViewIfNeeded();
      row(`${name}, playing: ${ofFrames}`, await playedFrames(opened), wantedFrames);
    });
  row(
    'Break it, while the neighbouring chapters load: frames relative to an empty page',
    await playedAtOnce(broken),
    wantedFrames,
  );
}

/** Measures the CPU time of the page's thread. */
async function working(row, nodes, run) {
  const longest = slow(await longestWork(run));
  row(
    `${nodes} nodes: longest task until the drawing is complete, processor time × ${slowdown}`,
    longest,
    'under 200 ms',
  );
  const { playedMs, scrubbedMs } = await workOfFrames(run);
  const perFrame = 'under 20 ms (50 per second)';
  row(`${nodes} nodes playing: processor time per frame × ${slowdown}, mean of 100`, slow(playedMs), perFrame);
  row(
    `${nodes} nodes: processor time to draw a selected moment × ${slowdown}, mean of 20`,
    slow(scrubbedMs),
    'under 100 ms',
  );
  for (const [name, of] of Object.entries({ 'run.html after opening': lab, 'Break it': broken }))
    row(
      `${name}, playing: processor time per frame × ${slowdown}, mean of 100`,
      slow((await workOfFrames(of)).playedMs),
      perFrame,
    );
}

const loadRow = () => [
  'load of the machine in the last minute',
  `${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`,
  'under 1',
];

/** Prints the frame rates, without writing a record. */
async function onlyFrames() {
  const rows = [];
  await playing((...cells) => rows.push(cells));
  console.log(table(['measure', 'value', 'target'], [...rows, loadRow()]));
}

async function slowMachine() {
  const nodes = Number(process.argv[2] ?? 4096);
  const run = `${lab}#n=${nodes}&scheme=counting&t=150`;
  const rows = [];
  const row = (what, value, target) => rows.push([what, value, target]);
  await opening(row, nodes, run);
  await playing(row);
  await working(row, nodes, run);
  const each = await everyPage();
  row(
    'all pages and chapters: largest layout shift while loading',
    Math.max(...each.map(({ shift }) => shift)).toFixed(3),
    'under 0.05',
  );
  row(
    `all pages and chapters: longest task, processor time × ${slowdown}`,
    slow(Math.max(...each.map(({ longestMs }) => longestMs))),
    'under 200 ms',
  );
  writeRecord('page', `${table(['measure', 'value', 'target'], [...rows, loadRow()])}\n`);
}

await (process.argv[2] === 'frames' ? onlyFrames() : slowMachine());
await close();
process.exit();
