/**
 * What the built page costs, in Chromium.
 *
 * `npm run bench -- page [NODES]`: a slow machine: what a first visit loads, when the first picture is there, how fast
 * runs play beside an empty page, how soon a scrubbed moment is drawn, and of each page and chapter how much of it moves
 * by itself while it loads and the longest task of its thread. At a quarter of Chromium's speed.
 *
 * `npm run bench -- tab`: what a large run costs a tab: the time until it is drawn, and the most memory that the tab's
 * process has had, as the system counts it. `--max N` (65,536) stops at a smaller size.
 *
 * Each prints tables and writes them to docs/records/bench-page.md or bench-tab.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { openBuiltPage, openTab } from '../builtPage.mjs';
import { grouped } from '../markdown.mjs';
import { root } from '../run.mjs';
import { byName, machine, median, options, table, writeRecord } from './frame.mjs';

const slowdown = 4;
const app = `${root}apps/visualizer/`;
const { browser, address, close } = await openBuiltPage();

const contextOptions = { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' };

/**
 * A page of its own, which keeps its longest tasks and when its first field was painted, and its speed: a quarter of
 * it, until that is lifted. The browser slows a page down by keeping a core busy for it, also while it is idle: so only
 * one page is slow at a time.
 */
async function slowPage() {
  const context = await browser.newContext(contextOptions);
  const page = await context.newPage();
  // A new window has pages of the browser's own, which are loaded first.
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

/** Adds up by how much the page moves what it shows, though nobody touched it: shares of the window, as browsers do. */
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

/** The frames a second of a page that is brought to the front. */
async function rateOf(page, slow) {
  await page.bringToFront();
  await slow(slowdown);
  // What was hidden is painted anew first.
  await framesIn(page, 500);
  const rate = await framesIn(page, 1500);
  await slow(1);
  return rate;
}

const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.state === 'ready', undefined, { timeout: 300_000 });

/**
 * The processor time of the page's longest task while it opens an address and its run is drawn, ms: what other programs
 * take of the machine is not in it.
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
  // A browser has pages of its own, too: the thread is the one that evaluates the page's scripts.
  const own = traceEvents.find(({ name, args }) => name === 'EvaluateScript' && args.data?.url?.startsWith(address));
  // A busy machine loses events of its trace.
  if (own === undefined) return longestWork(of);
  const { pid, tid } = own;
  const tasks = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/**
 * The processor time that the page's thread takes for each frame of a hundred while it plays, and for each of 20
 * scrubbed moments, ms: the least of three times, for who shares a core with others has less of it.
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

/** Goes to so many moments up and down the run. @returns how long each took to be drawn, ms, ascending. */
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

/** Plays what a page shows from its beginning. */
const playFromStart = (page) =>
  page.evaluate(() => {
    document.querySelector('#scrub').value = '0';
    document.querySelector('#scrub').dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('#play').click();
  });

/** The frames a second of a page that plays, and their share of an empty page's: both in turns, three times. */
async function playedBeside({ page, slow }) {
  await slow(1);
  const { page: empty, slow: slowEmpty, close } = await slowPage();
  await empty.goto('about:blank');
  const shares = [];
  const rates = [];
  for (let turn = 0; turn < 3; turn++) {
    const without = await rateOf(empty, slowEmpty);
    await playFromStart(page);
    const playing = await rateOf(page, slow);
    shares.push(playing / without);
    rates.push(playing);
  }
  await close();
  return `${(100 * median(shares)).toFixed(0)} % (${median(rates).toFixed(0)} a second)`;
}

/** The frames a second of a chapter from when its picture stands there, while those beside it load, as above. */
async function playedAtOnce(of) {
  const shares = [];
  const rates = [];
  for (let turn = 0; turn < 3; turn++) {
    const { page: empty, close: closeEmpty } = await slowPage();
    await empty.goto('about:blank');
    const without = await framesIn(empty, 1500);
    await closeEmpty();
    const { page, close } = await slowPage();
    await page.goto(of);
    await ready(page);
    const playing = await framesIn(page, 1500);
    await close();
    shares.push(playing / without);
    rates.push(playing);
  }
  return `${(100 * median(shares)).toFixed(0)} % (${median(rates).toFixed(0)} a second)`;
}

/** Opens an address. @returns when its run stood there, and its longest task until then, ms. */
async function openedPage(page, of) {
  await page.goto(of);
  await page.waitForFunction(() => globalThis.readyMs !== undefined, undefined, { timeout: 300_000 });
  return page.evaluate(() => ({ readyMs: globalThis.readyMs, longest: globalThis.longest }));
}

/** Of every page, and every chapter of the first one: how much it moves by itself in six seconds, and its longest task. */
async function everyPage() {
  const chapters = [...readFileSync(`${app}index.html`, 'utf8').matchAll(/<section class="chapter" id="([^"]+)"/g)];
  const names = readdirSync(app)
    // Old addresses send their visitors on.
    .filter((name) => name.endsWith('.html') && !['race.html', 'network.html'].includes(name))
    .flatMap((name) => (name === 'index.html' ? chapters.map(([, id]) => `#${id}`) : [name]));
  const rows = [];
  for (const name of names) {
    const { page, close } = await slowPage();
    await page.goto(address + name);
    await page.waitForTimeout(6000);
    const shift = await page.evaluate(() => globalThis.shifted);
    await close();
    // The least of three times, for who shares a core with others has less of it.
    const longest = [];
    for (let turn = 0; turn < 3; turn++) longest.push(await longestWork(address + name));
    rows.push({ name, shift, longestMs: Math.min(...longest) });
  }
  return rows;
}

/** A page is opened so many times, each in a profile of its own. */
const turns = 5;
const ofTurns = `median of ${turns} (least to greatest)`;
const spread = (values, digits) => {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
};

/** What a moment of the processor takes at the speed of a slow machine. */
const slow = (ms) => `${(ms * slowdown).toFixed(0)} ms`;
const lab = `${address}run.html`;
const broken = `${address}#break-it`;

/** How soon the first page and a run stand there, and how that run plays and is scrubbed. */
async function opening(row, nodes, run) {
  const bytes = [];
  const readyMs = [];
  const longestOf = { first: [], run: [] };
  for (let turn = 0; turn < turns; turn++) {
    const { page, session, close } = await slowPage();
    await session.send('Network.enable');
    let loaded = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      loaded += encodedDataLength;
    });
    const found = await openedPage(page, address);
    bytes.push(loaded);
    readyMs.push(found.readyMs);
    longestOf.first.push(found.longest);
    await close();
  }
  for (let turn = 0; turn < turns - 1; turn++) {
    const { page, close } = await slowPage();
    longestOf.run.push((await openedPage(page, run)).longest);
    await close();
  }
  {
    const { page, slow, close } = await slowPage();
    longestOf.run.push((await openedPage(page, run)).longest);
    // Later than the race stands there, the chapters beside it load.
    row('first page: loaded, compressed', `${(Math.min(...bytes) / 1000).toFixed(0)} kB`, 'under 250 kB');
    row(
      `first page: the race stands there, ${ofTurns}`,
      `${spread(
        readyMs.map((ms) => ms / 1000),
        2,
      )} s`,
      'under 2 s',
    );
    row(`first page: longest task, ${ofTurns}`, `${spread(longestOf.first, 0)} ms`, 'under 200 ms');
    row(`${nodes} nodes: longest task until drawn, ${ofTurns}`, `${spread(longestOf.run, 0)} ms`, 'under 200 ms');
    const times = await page.evaluate(scrubbed, 20);
    row(`${nodes} nodes: a scrubbed moment is drawn after, median of 20`, `${times[10].toFixed(0)} ms`, 'under 100 ms');
    row(`${nodes} nodes: the same, slowest of 20`, `${times[19].toFixed(0)} ms`, '');
    row(
      `${nodes} nodes playing: frames beside an empty page's, median of 3`,
      await playedBeside({ page, slow }),
      '83 % (50 of 60)',
    );
    await close();
  }
}

/** What else plays, beside an empty page. */
async function playing(row) {
  for (const [name, of] of [
    ['run.html as it opens, 64 nodes', lab],
    ['Break it', broken],
  ]) {
    const opened = await slowPage();
    await openedPage(opened.page, of);
    // What is beside it has loaded.
    await opened.page.waitForTimeout(3000);
    row(`${name}, playing: frames beside an empty page's, median of 3`, await playedBeside(opened), '83 % (50 of 60)');
    await opened.close();
  }
  row('Break it, while the chapters beside it load: the same', await playedAtOnce(broken), '83 % (50 of 60)');
}

/** Processor time of the page's thread. */
async function working(row, nodes, run) {
  row(
    `${nodes} nodes: longest task until drawn, processor time × ${slowdown}`,
    slow(await longestWork(run)),
    'under 200 ms',
  );
  const { playedMs, scrubbedMs } = await workOfFrames(run);
  const perFrame = 'under 20 ms (50 a second)';
  row(`${nodes} nodes playing: a frame, processor time × ${slowdown}, mean of 100`, slow(playedMs), perFrame);
  row(`${nodes} nodes: a scrubbed moment, the same, mean of 20`, slow(scrubbedMs), 'under 100 ms');
  for (const [name, of] of [
    ['run.html as it opens', lab],
    ['Break it', broken],
  ])
    row(`${name}, playing: a frame, the same, mean of 100`, slow((await workOfFrames(of)).playedMs), perFrame);
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
    'every page and chapter: the most that one moves by itself while it loads',
    Math.max(...each.map(({ shift }) => shift)).toFixed(3),
    'under 0.05',
  );
  row(
    `every page and chapter: longest task, processor time × ${slowdown}`,
    slow(Math.max(...each.map(({ longestMs }) => longestMs))),
    'under 200 ms',
  );
  const load = `${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;
  row('beside it: load of the machine in the last minute', load, 'under 1');

  const ofPages = table(
    ['page, chapter', 'moves by itself', `longest task, processor time × ${slowdown}`],
    each.map(({ name, shift, longestMs }) => [`\`${name}\``, shift.toFixed(3), slow(longestMs)]),
  );
  writeRecord(
    'bench-page',
    `# What the page costs a slow machine

*Source: [\`scripts/bench/page.mjs\`](../../scripts/bench/page.mjs), which writes this page: \`npm run build -w @tutti/visualizer && npm run bench -- page\`.*

Chromium without a GPU, its page's thread slowed down ${slowdown} times, the built page served by this machine, compressed. On a busy machine the figures are worse than on an idle one, except those of processor time, which are of the page's thread alone, measured at full speed and multiplied by ${slowdown}, the least of three times.

${table(['what', 'measured', 'target'], rows)}

What moves by itself is told in shares of the window, summed over the six seconds after a page was asked for, as browsers count it: half of the window moved by a tenth of it is 0.05.

${ofPages}
`,
  );
}

const largeRuns = [
  { nodes: 4096, dead: 0 },
  { nodes: 16_384, dead: 0 },
  { nodes: 16_384, dead: 0.2 },
  { nodes: 32_768, dead: 0.2 },
  { nodes: 65_536, dead: 0 },
  { nodes: 65_536, dead: 0.2 },
];

/** A run in a tab of its own, as a row. */
async function runInTab({ nodes, dead }) {
  const tab = await openTab(browser);
  const { page } = tab;
  // A link does not start a run of this size by itself.
  await page.goto(`${address}#n=32&scheme=counting&dead=${dead}&t=0`);
  const ready = () => page.waitForSelector('html[data-state="ready"]', { timeout: 1_200_000 });
  await ready();
  await page.getByTestId('word-nodes').click();
  await page.getByTestId('n').fill(String(nodes));
  const began = performance.now();
  await page.getByTestId('run').click();
  await page.waitForSelector('html[data-state="running"]');
  await ready();
  const seconds = (performance.now() - began) / 1000;
  const { peakBytes, bytes } = await tab.taken();
  await tab.close();
  console.error(`${nodes} nodes, ${dead * 100} % dead: done`);
  const [most, after] = [peakBytes, bytes].map((one) => `${grouped(one / 1e6)} MB`);
  return [grouped(nodes), `${dead * 100} %`, `${seconds.toFixed(1)} s`, most, after];
}

async function largeTab() {
  const { max } = options({ max: 65_536 });
  const rows = [];
  for (const one of largeRuns.filter(({ nodes }) => nodes <= max)) rows.push(await runInTab(one));
  writeRecord(
    'bench-tab',
    `# What a large run costs a tab

Printed by \`npm run bench -- tab\`: Chromium without a GPU, AWS, 99 %, the page as it was last built. The time is from *Run* to the finished drawing; memory is that of the tab's process, its workers included: the peak, and with the run drawn.

${table(['N', 'dead', 'until drawn', 'memory, at most', 'memory, after'], rows)}

Machine: ${machine()}, load ${loadavg()[0].toFixed(1)} at the end, this browser included: other work on the machine lengthens the times, but does not change the memory.
`,
  );
}

await byName({ page: slowMachine, tab: largeTab });
await close();
process.exit();
