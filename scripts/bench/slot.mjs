/**
 * The cost of simulating a slot: CPU seconds of all threads and peak memory, including start-up and loading, each slot
 * in a separate process.
 *
 * `npm run bench -- horn-network`: a slot of 2^20 validators on 10,000 nodes, by voting system, in Node and in a
 * Chromium tab of the built page. `npm run bench -- lean`: a slot of 4,096 validators and 256 aggregators with each
 * strategy for merging proofs, in Node and in a Chromium tab too. If systems or strategies are named, the rows of all
 * others are kept. `npm run bench -- proposals`: a slot of 131,072 attesters on 10,000 nodes with each proposal of 2026
 * and with each voting system, in Node.
 *
 * Each benchmark prints a table and writes it to docs/benchmarks/simulator.md.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { proposalNames, votingSystemNames } from '@tutti/ethereum';
import { leanStrategies } from '@tutti/ethereum/lean';
import { openBuiltPage, openTab } from '../builtPage.mjs';
import { grouped } from '../markdown.mjs';
import { recordsOf } from '../pages.mjs';
import { root } from '../run.mjs';
import { byName, machine, machineLine, options, ownProcess, table, writeRecord } from './frame.mjs';

const subnets = 16;
const each = 16;

const slots = {
  'horn-network': {
    all: votingSystemNames,
    column: 'system',
    target: { seconds: 30, gigabytes: 2 },
    program: (system) => `
      import { defaultNetworkScenario, runNetworkSlot } from '@tutti/ethereum';
      const slot = runNetworkSlot({ ...defaultNetworkScenario, system: ${JSON.stringify(system)} });
      result = { votes: slot.result.inReach.mean }`,
    async votesInTab(page, address, system) {
      await page.goto(`${address}horn.html#model=network`);
      await page.waitForSelector('html[data-state="ready"]', { timeout: 300_000 });
      await page.selectOption('#system', system);
      await page.click('#run');
      await page.waitForFunction(
        () => document.querySelector('#status').textContent.endsWith('simulated here.'),
        undefined,
        { timeout: 1_200_000 },
      );
      return Number(/When the slot ended, ([\d.]+)\s%/.exec(await page.textContent('#status'))[1]) / 100;
    },
    /**
     * Maximum difference between the votes in Node and the votes in the tab. The tab displays steps of 0.1 %, so the
     * maximum is half a step, rounded up.
     */
    maxApart: 0.00051,
  },
  lean: {
    all: leanStrategies,
    column: 'strategy',
    target: { seconds: 10, gigabytes: 1 },
    program: (strategy) => `
      import { loadNetwork } from '@tutti/simulation';
      import { defaultLeanScenario, runLeanSlot, recordLeanSlot } from '@tutti/ethereum/lean';
      const aggregators = ${subnets * each};
      await loadNetwork(defaultLeanScenario.network);
      const of = { strategy: ${JSON.stringify(strategy)}, subnets: ${subnets}, aggregators, nodes: aggregators + 64 };
      const slot = runLeanSlot({ ...defaultLeanScenario, ...of });
      recordLeanSlot(slot.run);
      result = { votes: slot.result.pooled[4000] }`,
    async votesInTab(page, address, strategy) {
      await page.goto(
        `${address}lean.html#subnets=${subnets}&each=${each}&strategies=${new Array(4).fill(strategy)}&t=4000`,
      );
      await page.waitForSelector('html[data-state="ready"]', { timeout: 600_000 });
      return Number.parseFloat(await page.textContent('#outcome tbody td')) / 100;
    },
    /** The tab displays whole percentages. */
    maxApart: 0.0051,
  },
};

/** Simulates a slot in Node and in a tab, for each of the named systems or strategies. */
async function inNodeAndTab(name, slot) {
  const { rest: named } = options({});
  const { browser, address, close } = await openBuiltPage();

  async function inTab(one) {
    const tab = await openTab(browser);
    const votes = await slot.votesInTab(tab.page, address, one);
    const taken = await tab.taken();
    await tab.close();
    return { votes, ...taken };
  }

  /** Rows by name: first the rows of the page, then those that this process measures. */
  const rows = new Map(keptRows(name, slot.all));
  for (const one of named.length > 0 ? named : slot.all) {
    const [node, tab] = [ownProcess(slot.program(one)), await inTab(one)];
    if (Math.abs(node.votes - tab.votes) > slot.maxApart)
      throw new Error(`${one}: expected the tab to play Node's slot, ${node.votes} of the votes, got ${tab.votes}`);
    const cells = [node, tab].flatMap(({ seconds, peakBytes }) => [
      seconds.toFixed(1),
      Number.isNaN(peakBytes) ? '-' : (peakBytes / 1e9).toFixed(2),
    ]);
    rows.set(one, [one, ...cells]);
    console.error(rows.get(one).join('  '));
  }
  await close();

  const { seconds: maxSeconds, gigabytes: maxGigabytes } = slot.target;
  const measured = slot.all.filter((one) => rows.has(one)).map((one) => rows.get(one));
  const isKept = measured.every((cells) =>
    cells
      .slice(1)
      .every((cell, column) => cell === '-' || Number(cell) < (column % 2 === 0 ? maxSeconds : maxGigabytes)),
  );
  writeRecord(
    name,
    `${machine()}. Target: under ${maxSeconds} s and ${maxGigabytes} GB: ${isKept ? 'met' : '**not met by all**'}.

${table([slot.column, 'Node: CPU s', 'max GB', 'tab: CPU s', 'max GB'], measured)}
`,
  );
}

/** Returns the rows of a page, by the names of their systems or strategies. */
function keptRows(record, all) {
  const page = readFileSync(`${root}docs/benchmarks/simulator.md`, 'utf8');
  const { body = '' } = recordsOf(page).find(({ name }) => name === record) ?? {};
  return body
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([one]) => all.includes(one))
    .map((cells) => [cells[0], cells]);
}

const maxSeconds = 5;
const attesters = 131_072;
const attestersNodes = 10_000;

/** Program that runs `tutti slots network --preset SYSTEM --proposal NAMES --validators 131072 --max-consecutive-slots 1`. */
const program = (system, names) => `
import { defaultNetworkScenario, runNetworkSlot, withProposals } from '@tutti/ethereum';
const of = { ...defaultNetworkScenario, system: ${JSON.stringify(system)}, validators: ${attesters}, nodes: ${attestersNodes} };
const { cast, inReach, events } = runNetworkSlot(withProposals(of, ${JSON.stringify(names)})).result;
result = { cast, inReach: inReach.mean, events }`;

/** Returns the faster of two runs. Other processes on the machine can only slow a run down. */
function runSlot(system, names) {
  const [a, b] = [1, 2].map(() => ownProcess(program(system, names)));
  return b.seconds < a.seconds ? b : a;
}

function proposals() {
  const capped = proposalNames.filter((name) => name !== 'cap');
  const cases = [
    ...[['cap'], ...capped.map((name) => ['cap', name]), proposalNames].map((names) => ['electra', names]),
    ...votingSystemNames.filter((name) => name !== 'electra').map((name) => [name, []]),
  ];
  const rows = cases.map(([system, names]) => {
    const { seconds, peakBytes, cast, inReach, events } = runSlot(system, names);
    const row = [
      system,
      names.join('+') || '-',
      grouped(cast),
      (events / 1e6).toFixed(2),
      (100 * inReach).toFixed(1),
      seconds.toFixed(1),
      (peakBytes / 1e9).toFixed(2),
    ];
    console.log(row.join('  '));
    return row;
  });
  const over = rows.filter((row) => Number(row[5]) >= maxSeconds).map(([system, names]) => `${system} ${names}`);
  const dearest = rows.reduce((a, b) => (Number(b[5]) > Number(a[5]) ? b : a));
  const verdict =
    over.length === 0
      ? 'met'
      : `**not met by all**: ${over.map((one) => one.replace(' -', '')).join(', ')}. A slot's time is spent on its events, most of which are copies of messages: with ${dearest[0]} ${(Number(dearest[5]) / Number(dearest[3])).toFixed(2)} us each, spread over links, queues and cores: no function takes much over a tenth of it`;

  writeRecord(
    'proposals',
    `${machineLine()} Load average ${loadavg()[0].toFixed(0)}. Target: under ${maxSeconds} s: ${verdict}.

${table(['system', 'proposals', 'votes', 'events, 10^6', 'in reach, %', 'CPU s', 'max GB'], rows)}
`,
  );
}

await byName({
  'horn-network': () => inNodeAndTab('horn-network', slots['horn-network']),
  lean: () => inNodeAndTab('lean', slots.lean),
  proposals,
});
process.exit();
