/**
 * `npm run bench -- proposals`: what a slot of 131,072 attesters on 10,000 nodes costs under each proposal of 2026 and by
 * each voting system: CPU seconds of all threads of a Node process of its own, its start and loading included. Prints a
 * table and writes it to docs/records/bench-proposals.md.
 */
import { loadavg } from 'node:os';
import { proposalNames, votingSystemNames } from '@tutti/simulation/slots';
import { grouped } from '../markdown.mjs';
import { machineLine, ownProcess, table, writeRecord } from './frame.mjs';

const mostSeconds = 5;
const validators = 131_072;
const nodes = 10_000;

/** As `tutti horn network --preset SYSTEM --proposal NAMES --validators 131072 --in-row 1` plays it. */
const program = (system, names) => `
import { defaultNetworkScenario, runNetworkSlot, withProposals } from '@tutti/simulation/slots';
const of = { ...defaultNetworkScenario, system: ${JSON.stringify(system)}, validators: ${validators}, nodes: ${nodes} };
const { cast, inReach, events } = runNetworkSlot(withProposals(of, ${JSON.stringify(names)})).result;
result = { cast, inReach: inReach.mean, events }`;

/** Of two runs, the one that took less: what others on the machine add to it is not the slot's. */
function play(system, names) {
  const [a, b] = [1, 2].map(() => ownProcess(program(system, names)));
  return b.seconds < a.seconds ? b : a;
}

const capped = proposalNames.filter((name) => name !== 'cap');
const cases = [
  ...[['cap'], ...capped.map((name) => ['cap', name]), proposalNames].map((names) => ['electra', names]),
  ...votingSystemNames.filter((name) => name !== 'electra').map((name) => [name, []]),
];
const rows = cases.map(([system, names]) => {
  const { seconds, peakBytes, cast, inReach, events } = play(system, names);
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
const over = rows.filter((row) => Number(row[5]) >= mostSeconds).map(([system, names]) => `${system} ${names}`);
const dearest = rows.reduce((a, b) => (Number(b[5]) > Number(a[5]) ? b : a));
const verdict =
  over.length === 0
    ? 'all of these are'
    : `**not all of these are**: ${over.map((one) => one.replace(' -', '')).join(', ')}. What a slot costs are its events, which are copies of messages above all: with ${dearest[0]} ${(Number(dearest[5]) / Number(dearest[3])).toFixed(2)} us each, spread over links, queues and cores: no function takes much over a tenth of it`;

writeRecord(
  'bench-proposals',
  `# What a slot of 131,072 attesters costs

*Source: [\`scripts/bench/proposals.mjs\`](../../scripts/bench/proposals.mjs), which writes this page: \`npm run bench -- proposals\`. What is played: [shorter slots](../shorter-slots.md), [Horn on Ethereum's network](../horn-network.md).*

One slot of ${grouped(validators)} validators on ${grouped(nodes)} nodes, under each proposal of 2026 with the cap, then by each other voting system, in a Node process of its own: CPU seconds of all its threads, starting and loading included, the less of two runs, and its peak memory in 10^9 bytes. ${machineLine()} Other programs shared the cores: ${loadavg()[0].toFixed(0)} waited for them, which makes CPU seconds longer than they are alone. The target is under ${mostSeconds} s: ${verdict}.

${table(['system', 'proposals', 'votes', 'events, 10^6', 'in reach, %', 'CPU s', 'GB at most'], rows)}
`,
);
