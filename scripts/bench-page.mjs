/**
 * `npm run bench:page`: what the built page costs a slow machine: what a first visit loads, when the first picture is there, the longest task of the page's
 * thread, how fast it plays 4,096 nodes beside an empty page, and how soon a scrubbed moment is drawn. Chromium at a quarter of its speed. Prints a table and
 * writes it to docs/bench-page.md.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { openBuiltPage } from './builtPage.mjs';
import { root } from './run.mjs';
import { wrapMarkdown } from './wrapMarkdown.mjs';

const slowdown = 4;
const nodes = Number(process.argv[2] ?? 4096);
const { server, browser, address } = await openBuiltPage();
const run = `${address}run.html#n=${nodes}&scheme=counting&t=150`;

const contextOptions = { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' };

/** A page of its own at a quarter of its speed, which keeps its longest tasks and when its first field was painted. */
async function slowPage() {
  const context = await browser.newContext(contextOptions);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
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
  return { page, session, close: () => context.close() };
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

const ready = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.state === 'ready', undefined, { timeout: 300_000 });

/**
 * The processor time of the page's longest task while it opens an address and its run is drawn, ms: what other programs take of the machine
 * is not in it.
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

/** The processor time that the page's thread takes for each frame of a hundred while it plays, and for each of 20 scrubbed moments, ms. */
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

const rows = [];
const row = (what, value, target) => rows.push([what, value, target]);

{
  const { page, session, close } = await slowPage();
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.readyMs !== undefined, undefined, { timeout: 120_000 });
  const { readyMs, longest } = await page.evaluate(() => ({
    readyMs: globalThis.readyMs,
    longest: globalThis.longest,
  }));
  row('first page: loaded, compressed', `${(bytes / 1000).toFixed(0)} kB`, 'under 250 kB');
  row('first page: the race stands there', `${(readyMs / 1000).toFixed(2)} s`, 'under 2 s');
  row('first page: longest task', `${longest.toFixed(0)} ms`, 'under 200 ms');
  await close();
}
{
  const { page: empty, close: closeEmpty } = await slowPage();
  await empty.goto('about:blank');
  const { page, close } = await slowPage();
  await page.goto(run);
  await page.waitForFunction(() => globalThis.readyMs !== undefined, undefined, { timeout: 300_000 });
  const longest = await page.evaluate(() => globalThis.longest);
  row(`${nodes} nodes: longest task until drawn`, `${longest.toFixed(0)} ms`, 'under 200 ms');
  const times = await page.evaluate(scrubbed, 20);
  row(`${nodes} nodes: a scrubbed moment is drawn after, median of 20`, `${times[10].toFixed(0)} ms`, 'under 100 ms');
  row(`${nodes} nodes: the same, slowest of 20`, `${times[19].toFixed(0)} ms`, '');
  // Both in turns, for a machine is seldom left alone.
  const shares = [];
  const rates = [];
  await page.evaluate(() => {
    document.querySelector('#scrub').value = '0';
    document.querySelector('#scrub').dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('#play').click();
  });
  for (let turn = 0; turn < 3; turn++) {
    await empty.bringToFront();
    const without = await framesIn(empty, 1500);
    await page.bringToFront();
    const playing = await framesIn(page, 1500);
    shares.push(playing / without);
    rates.push(playing);
  }
  const middle = (values) => values.toSorted((a, b) => a - b)[1];
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
  `${root}docs/bench-page.md`,
  wrapMarkdown(`# What the page costs a slow machine

*Source: [\`scripts/bench-page.mjs\`](../scripts/bench-page.mjs), which writes this page: \`npm run build -w @tutti/visualizer && npm run bench:page\`.*

Chromium without a GPU, its page's thread slowed down ${slowdown} times, the built page from this machine, compressed. On a machine that also does other work the figures are worse than on an idle one, except those of CPU time: they are the page's thread alone, unslowed, times  ${slowdown}.

${table}
`),
);
process.exit(0);
