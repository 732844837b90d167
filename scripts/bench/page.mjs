/**
 * `npm run bench -- page`: what the built page costs a slow machine: what a first visit loads, when the first picture is
 * there, the longest task of the page's thread, how fast it plays 4,096 nodes beside an empty page, and how soon a
 * scrubbed moment is drawn. Chromium at a quarter of its speed. Prints a table and writes it to docs/records/bench-page.md.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { openBuiltPage } from '../builtPage.mjs';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';

const slowdown = 4;
const nodes = Number(process.argv[2] ?? 4096);
const { server, browser, address } = await openBuiltPage();
const run = `${address}run.html#n=${nodes}&scheme=counting&t=150`;

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
  return { page, session, slow, close: () => context.close() };
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
  const { pid, tid } = traceEvents.find(
    ({ name, args }) => name === 'EvaluateScript' && args.data?.url?.startsWith(address),
  );
  const tasks = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/**
 * The processor time that the page's thread takes for each frame of a hundred while it plays, and for each of 20
 * scrubbed moments, ms.
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
    const before = await now();
    await page.evaluate(what, frames);
    return ((await now()) - before) / frames;
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

/** Opens an address. @returns when its run stood there, and its longest task until then, ms. */
async function openedPage(page, of) {
  await page.goto(of);
  await page.waitForFunction(() => globalThis.readyMs !== undefined, undefined, { timeout: 300_000 });
  return page.evaluate(() => ({ readyMs: globalThis.readyMs, longest: globalThis.longest }));
}

/** A page is opened so many times, each in a profile of its own. */
const turns = 5;
const ofTurns = `median of ${turns} (least to greatest)`;
const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const spread = (values, digits) => {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return `${middle(values).toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
};

const rows = [];
const row = (what, value, target) => rows.push([what, value, target]);

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
  row('first page: loaded, compressed', `${(Math.max(...bytes) / 1000).toFixed(0)} kB`, 'under 250 kB');
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
  // Both in turns, for a machine is seldom left alone.
  await slow(1);
  const { page: empty, slow: slowEmpty, close: closeEmpty } = await slowPage();
  await empty.goto('about:blank');
  const shares = [];
  const rates = [];
  await page.evaluate(() => {
    document.querySelector('#scrub').value = '0';
    document.querySelector('#scrub').dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('#play').click();
  });
  for (let turn = 0; turn < 3; turn++) {
    const without = await rateOf(empty, slowEmpty);
    const playing = await rateOf(page, slow);
    shares.push(playing / without);
    rates.push(playing);
  }
  row(
    `${nodes} nodes playing: frames beside an empty page's, median of 3`,
    `${(100 * middle(shares)).toFixed(0)} % (${middle(rates).toFixed(0)} a second)`,
    '83 % (50 of 60)',
  );
  await close();
  await closeEmpty();
}
const slow = (ms) => `${(ms * slowdown).toFixed(0)} ms`;
row(`first page: longest task, processor time × ${slowdown}`, slow(await longestWork(address)), 'under 200 ms');
row(`${nodes} nodes: the same until drawn`, slow(await longestWork(run)), 'under 200 ms');
const { playedMs, scrubbedMs } = await workOfFrames(run);
row(
  `${nodes} nodes playing: a frame, processor time × ${slowdown}, mean of 100`,
  slow(playedMs),
  'under 20 ms (50 a second)',
);
row(`${nodes} nodes: a scrubbed moment, the same, mean of 20`, slow(scrubbedMs), 'under 100 ms');
await browser.close();
await server.close();

const load = `${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;
row('beside it: load of the machine in the last minute', load, 'under 1');

const table = [
  '| what | measured | target |',
  '|---|---|---|',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
].join('\n');
console.log(table);
writeFileSync(
  `${root}docs/records/bench-page.md`,
  wrapMarkdown(`# What the page costs a slow machine

*Source: [\`scripts/bench/page.mjs\`](../../scripts/bench/page.mjs), which writes this page: \`npm run build -w @tutti/visualizer && npm run bench -- page\`.*

Chromium without a GPU, its page's thread slowed down ${slowdown} times, the built page served by this machine, compressed. On a busy machine the figures are worse than on an idle one, except those of processor time, which are of the page's thread alone, measured at full speed and multiplied by  ${slowdown}.

${table}
`),
);
process.exit(0);
