/**
 * `npm run bench -- lean`: what a slot of 4096 validators and 256 aggregators costs with each way to merge proofs:
 * seconds of CPU and the most memory, in a Node process and in a Chromium tab of the built page, each a process of its
 * own. Prints a table and writes it to docs/records/bench-lean.md. Where rivals are named, the others' rows are kept.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { leanRivals } from '@tutti/simulation/lean';
import { openBuiltPage } from '../builtPage.mjs';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';
import { peakOf, renderersOf } from './renderers.mjs';

const rivals = process.argv.length > 2 ? process.argv.slice(2) : leanRivals;
const target = { seconds: 10, gigabytes: 1 };
const world = { subnets: 16, each: 16 };

/** What is measured is the process, its start and the program's loading included. */
const program = (rival) => `
import { loadNetwork } from '@tutti/simulation';
import { defaultLeanScenario, playLeanSlot, recordLeanSlot } from '@tutti/simulation/lean';
const aggregators = ${world.subnets * world.each};
await loadNetwork(defaultLeanScenario.network);
const scenario = { ...defaultLeanScenario, rival: ${JSON.stringify(rival)}, subnets: ${world.subnets}, aggregators, nodes: aggregators + 64 };
const { run, result } = playLeanSlot(scenario);
recordLeanSlot(run);
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, gigabytes: maxRSS / 1e6, votes: result.pooled[4000] }));
`;

function inNode(rival) {
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program(rival)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`a slot of ${rival}: expected exit code 0, got ${run.status}`);
  return JSON.parse(run.stdout);
}

const { server, browser, address } = await openBuiltPage();
const session = await browser.newBrowserCDPSession();

async function inTab(rival) {
  const before = new Set((await renderersOf(session)).map(({ id }) => id));
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const link = `subnets=${world.subnets}&each=${world.each}&rivals=${new Array(4).fill(rival)}&t=4000`;
  await page.goto(`${address}lean.html#${link}`);
  await page.waitForSelector('html[data-state="ready"]', { timeout: 600_000 });
  const own = (await renderersOf(session)).filter(({ id }) => !before.has(id));
  const votes = await page.textContent('#outcome tbody td');
  const peaks = own.map(({ id }) => peakOf(id));
  await context.close();
  return {
    seconds: own.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
    gigabytes: peaks.includes(undefined) ? undefined : Math.max(...peaks),
    votes: Number.parseFloat(votes) / 100,
  };
}

const rows = [];
for (const rival of rivals) {
  const [node, tab] = [inNode(rival), await inTab(rival)];
  if (Math.abs(node.votes - tab.votes) > 0.0051) {
    throw new Error(`${rival}: expected the tab to play Node's slot, ${node.votes} of the votes, got ${tab.votes}`);
  }
  rows.push([rival, node, tab]);
  console.log(rival, node, tab);
}
await browser.close();
await server.close();

const page = `${root}docs/records/bench-lean.md`;
const memory = (gigabytes) => (gigabytes === undefined ? '-' : gigabytes.toFixed(2));
const lines = new Map(
  (existsSync(page) ? readFileSync(page, 'utf8') : '')
    .split('\n')
    .filter((line) => leanRivals.some((name) => line.startsWith(`| ${name} |`)))
    .map((line) => [line.split(' | ')[0].slice(2), line]),
);
for (const [rival, node, tab] of rows) {
  const cells = [node.seconds.toFixed(1), memory(node.gigabytes), tab.seconds.toFixed(1), memory(tab.gigabytes)];
  lines.set(rival, `| ${[rival, ...cells].join(' | ')} |`);
}
const measured = leanRivals.filter((name) => lines.has(name));
const table = [
  '| rival | Node: CPU s | GB at most | tab: CPU s | GB at most |',
  '|---|---:|---:|---:|---:|',
  ...measured.map((name) => lines.get(name)),
].join('\n');
console.log(table);
const isUnder = (value, most) => value === '-' || Number(value) < most;
const isKept = measured.every((name) => {
  const [, nodeSeconds, nodeMemory, tabSeconds, tabMemory] = lines.get(name).slice(2, -2).split(' | ');
  const seconds = [nodeSeconds, tabSeconds].every((value) => isUnder(value, target.seconds));
  return seconds && [nodeMemory, tabMemory].every((value) => isUnder(value, target.gigabytes));
});
console.log(`under ${target.seconds} s and ${target.gigabytes} GB: ${isKept ? 'all' : 'NOT all'}`);
writeFileSync(
  page,
  wrapMarkdown(`# What a slot of proofs costs to play

*Source: [\`scripts/bench/lean.mjs\`](../../scripts/bench/lean.mjs), which writes this page: \`npm run build -w @tutti/visualizer && npm run bench -- lean\`. What is played: [Votes in proofs](../lean.md).*

One slot of 4096 validators and 256 aggregators with each rival, in a Node process of its own and in a Chromium tab of its own. The figures are CPU seconds of all threads of the process, and its peak memory in 10^9 bytes; starting, loading and, in the tab, drawing are included. ${cpus()[0].model.trim()}, Node ${process.versions.node}. The target is under ${target.seconds} s and ${target.gigabytes} GB: ${isKept ? 'all of these are' : '**not all of these are**'}. Both play the same slot: the benchmark compares their votes.

${table}
`),
);
process.exit(0);
