/**
 * `npm run bench -- horn-network`: what a slot of 2^20 validators on 10,000 nodes costs, by voting system: seconds of CPU
 * and the most memory, in a Node process and in a Chromium tab of the built page, each a process of its own. Prints a
 * table and writes it to docs/records/bench-horn-network.md. Where systems are named, the others' rows are kept.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { defaultNetworkScenario, votingSystemNames } from '@tutti/simulation/slots';
import { openBuiltPage } from '../builtPage.mjs';
import { grouped } from '../numbers.mjs';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';
import { peakOf, renderersOf } from './renderers.mjs';

const systems = process.argv.length > 2 ? process.argv.slice(2) : votingSystemNames;
const target = { seconds: 30, gigabytes: 2 };

/** Both in one process: what is measured is the process, its start and the program's loading included. */
const program = (system) => `
import { defaultNetworkScenario, playNetworkSlot } from '@tutti/simulation/slots';
const { result } = playNetworkSlot({ ...defaultNetworkScenario, system: ${JSON.stringify(system)} });
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, gigabytes: maxRSS / 1e6, inReach: result.inReach.mean }));
`;

function inNode(system) {
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program(system)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`a slot of ${system}: expected exit code 0, got ${run.status}`);
  return JSON.parse(run.stdout);
}

const { server, browser, address } = await openBuiltPage();
const session = await browser.newBrowserCDPSession();

async function inTab(system) {
  const before = new Set((await renderersOf(session)).map(({ id }) => id));
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(`${address}horn.html#model=network`);
  await page.waitForSelector('html[data-state="ready"]', { timeout: 300_000 });
  await page.selectOption('#system', system);
  await page.click('#run');
  await page.waitForFunction(() => document.querySelector('#status').textContent.endsWith('played here.'), undefined, {
    timeout: 1_200_000,
  });
  const own = (await renderersOf(session)).filter(({ id }) => !before.has(id));
  const outcome = await page.textContent('#status');
  const peaks = own.map(({ id }) => peakOf(id));
  await context.close();
  return {
    seconds: own.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
    gigabytes: peaks.includes(undefined) ? undefined : Math.max(...peaks),
    inReach: Number(/When the slot ended, ([\d.]+)\s%/.exec(outcome)[1]) / 100,
  };
}

const rows = [];
for (const system of systems) {
  const [node, tab] = [inNode(system), await inTab(system)];
  if (Math.abs(node.inReach - tab.inReach) > 0.00051) {
    throw new Error(`${system}: expected the tab to play Node's slot, ${node.inReach} in reach, got ${tab.inReach}`);
  }
  rows.push([system, node, tab]);
  console.log(system, node, tab);
}
await browser.close();
await server.close();

const { validators, nodes } = defaultNetworkScenario;
const page = `${root}docs/records/bench-horn-network.md`;
const memory = (gigabytes) => (gigabytes === undefined ? '-' : gigabytes.toFixed(2));
const lines = new Map(
  (existsSync(page) ? readFileSync(page, 'utf8') : '')
    .split('\n')
    .filter((line) => votingSystemNames.some((name) => line.startsWith(`| ${name} |`)))
    .map((line) => [line.split(' | ')[0].slice(2), line]),
);
for (const [system, node, tab] of rows) {
  const cells = [
    system,
    node.seconds.toFixed(1),
    memory(node.gigabytes),
    tab.seconds.toFixed(1),
    memory(tab.gigabytes),
  ];
  lines.set(system, `| ${cells.join(' | ')} |`);
}
const measured = votingSystemNames.filter((name) => lines.has(name));
const table = [
  '| system | Node: CPU s | GB at most | tab: CPU s | GB at most |',
  '|---|---:|---:|---:|---:|',
  ...measured.map((name) => lines.get(name)),
].join('\n');
console.log(table);
const isUnder = (value, most) => value === '-' || Number(value) < most;
const kept = measured.every((name) => {
  const [, nodeSeconds, nodeMemory, tabSeconds, tabMemory] = lines.get(name).slice(2, -2).split(' | ');
  const seconds = [nodeSeconds, tabSeconds].every((value) => isUnder(value, target.seconds));
  return seconds && [nodeMemory, tabMemory].every((value) => isUnder(value, target.gigabytes));
});
console.log(`under ${target.seconds} s and ${target.gigabytes} GB: ${kept ? 'all' : 'NOT all'}`);
writeFileSync(
  page,
  wrapMarkdown(`# What a slot on Ethereum's network costs

*Source: [\`scripts/bench/horn-network.mjs\`](../../scripts/bench/horn-network.mjs), which writes this page: \`npm run build -w @tutti/visualizer && npm run bench -- horn-network\`. What is played: [Horn on Ethereum's network](../horn-network.md).*

One slot of ${grouped(validators)} validators on ${grouped(nodes)} nodes with each system, in a Node process of its own and in a Chromium tab of its own. The figures are CPU seconds of all threads of the process, and its peak memory in 10^9 bytes; starting and loading are included. ${cpus()[0].model.trim()}, Node ${process.versions.node}. The target is under ${target.seconds} s and ${target.gigabytes} GB: ${kept ? 'all of these are' : '**not all of these are**'}. Both play the same slot: the benchmark compares their votes in reach.

${table}
`),
);
process.exit(0);
