/**
 * `npm run bench -- tab`: what a large run costs a tab: the time until it is drawn, and the most memory that the tab's
 * process has had, as the system counts it. Prints a table and writes it to docs/records/bench-tab.md. `--max N` (65,536) stops
 * at a smaller size.
 */
import { loadavg } from 'node:os';
import { openBuiltPage, openTab } from '../builtPage.mjs';
import { grouped } from '../markdown.mjs';
import { machine, options, table, writeRecord } from './frame.mjs';

const { max } = options({ max: 65_536 });
const cases = [
  { nodes: 4096, dead: 0 },
  { nodes: 16_384, dead: 0 },
  { nodes: 16_384, dead: 0.2 },
  { nodes: 32_768, dead: 0.2 },
  { nodes: 65_536, dead: 0 },
  { nodes: 65_536, dead: 0.2 },
].filter(({ nodes }) => nodes <= max);

const { browser, address, close } = await openBuiltPage();

async function run({ nodes, dead }) {
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

const rows = [];
for (const one of cases) rows.push(await run(one));
await close();
writeRecord(
  'bench-tab',
  `# What a large run costs a tab

Printed by \`npm run bench -- tab\`: Chromium without a GPU, AWS, 99 %, the page as it was last built. The time is from *Run* to the finished drawing; memory is that of the tab's process, its workers included: the peak, and with the run drawn.

${table(['N', 'dead', 'until drawn', 'memory, at most', 'memory, after'], rows)}

Machine: ${machine()}, load ${loadavg()[0].toFixed(1)} at the end, this browser included: other work on the machine lengthens the times, but does not change the memory.
`,
);
process.exit(0);
