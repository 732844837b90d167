/**
 * `npm run bench -- tab`: what a large run costs a tab: the time until it is drawn, and the most memory that the tab's
 * process has had, as the system counts it. Prints a table and writes it to docs/records/bench-tab.md. `--max N` (65,536) stops
 * at a smaller size.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { openBuiltPage } from '../builtPage.mjs';
import { largestOf, writeRecord } from './frame.mjs';

const largest = largestOf(65_536);
const cases = [
  { nodes: 4096, dead: 0 },
  { nodes: 16_384, dead: 0 },
  { nodes: 16_384, dead: 0.2 },
  { nodes: 32_768, dead: 0.2 },
  { nodes: 65_536, dead: 0 },
  { nodes: 65_536, dead: 0.2 },
].filter(({ nodes }) => nodes <= largest);

const { server, browser, address } = await openBuiltPage();
const session = await browser.newBrowserCDPSession();

async function renderers() {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** What the system says of a process's memory, bytes: the most that it has had, or what it has. */
function memory(pid, which) {
  const [, kilobytes] = new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) * 1024;
}

async function played({ nodes, dead }) {
  const before = new Set(await renderers());
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  // A link does not start a run of this size by itself.
  await page.goto(`${address}#n=32&scheme=counting&dead=${dead}&t=0`);
  const ready = () => page.waitForSelector('html[data-state="ready"]', { timeout: 1_200_000 });
  await ready();
  const own = (await renderers()).filter((id) => !before.has(id));
  await page.getByTestId('word-nodes').click();
  await page.getByTestId('n').fill(String(nodes));
  const began = performance.now();
  await page.getByTestId('run').click();
  await page.waitForSelector('html[data-state="running"]');
  await ready();
  const seconds = (performance.now() - began) / 1000;
  const megabytes = (which) => Math.max(...own.map((id) => memory(id, which))) / 1e6;
  const row = { nodes, dead, seconds, most: megabytes('VmHWM'), after: megabytes('VmRSS') };
  await context.close();
  return row;
}

const rows = [];
for (const one of cases) {
  rows.push(await played(one));
  console.error(`${one.nodes} nodes, ${one.dead * 100} % dead: done`);
}
await browser.close();
server.close();

const whole = (value) => Math.round(value).toLocaleString('en-US');
const page = `# What a large run costs a tab

Printed by \`npm run bench -- tab\`: Chromium without a GPU, AWS, 99 %, the page as it was last built. The time is from *Run* to the finished drawing; memory is that of the tab's process, its workers included: the peak, and with the run drawn.

| N | dead | until drawn | memory, at most | memory, after |
|---|---|---|---|---|
${rows.map(({ nodes, dead, seconds, most, after }) => `| ${whole(nodes)} | ${dead * 100} % | ${seconds.toFixed(1)} s | ${whole(most)} MB | ${whole(after)} MB |`).join('\n')}

Machine: ${availableParallelism()} cores, ${cpus()[0].model.trim()}, load ${loadavg()[0].toFixed(1)} at the end, this browser included: other work on the machine lengthens the times, but does not change the memory.
`;
writeRecord('bench-tab', page);
