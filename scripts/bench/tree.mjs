/**
 * `npm run bench -- tree`: time and load at sizes around powers of two, for the two trees; prints the table and writes it
 * to docs/records/bench-tree.md. All of it is virtual, so it is the same on every machine. `--max N` stops at a smaller size.
 */
import { defaultScenario, simulate } from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { options, writeRecord } from './frame.mjs';

const whole = 65_537;
const { max: largest } = options({ max: whole });

const ways = [
  { name: 'packed', tree: 'packed' },
  { name: 'spread (default)', tree: 'spread' },
];
const sizes = [1000, 1023, 1024, 1025, 1040, 1056, 1088, 4000, 4095, 4096, 4097, 4160, 8192, 8320, 65_536, 65_537];

/** Beyond these the packed tree alone takes minutes and tells nothing new. */
const isTried = ({ tree }, nodes, threshold) => tree === 'spread' || nodes <= 1088 || (threshold < 1 && nodes <= 4160);

const powerBelow = (nodes) => 2 ** Math.floor(Math.log2(nodes));

const rows = [];
const timeMs = new Map();
for (const threshold of [0.99, 1]) {
  for (const nodes of sizes.filter((size) => size <= largest)) {
    for (const way of ways) {
      if (!isTried(way, nodes, threshold)) continue;
      const run = simulate({ ...defaultScenario, nodes, threshold, tree: way.tree });
      const { timeToThresholdMs: time, messagesSent, messagesReceived: received, live, reached } = run;
      timeMs.set(`${way.name} ${threshold} ${nodes}`, time.mean);
      const below = timeMs.get(`${way.name} ${threshold} ${powerBelow(nodes)}`);
      const cells = [
        grouped(nodes),
        `${threshold * 100} %`,
        way.name,
        `${grouped(time.mean)} / ${grouped(time.max)}`,
        below === undefined ? '' : (time.mean / below).toFixed(2),
        grouped(messagesSent.mean),
        grouped(received.max),
        (received.max / received.mean).toFixed(2),
        reached === live ? 'all' : `${grouped(reached)} of ${grouped(live)}`,
      ];
      rows.push(`| ${cells.join(' | ')} |`);
      console.log(rows.at(-1));
    }
  }
}

const text = `# Sizes around powers of two, measured

*\`npm run bench -- tree\` writes this page: seed 1, the paper's parameters on its AWS network. [About the trees](../tree.md).*

| N | threshold | tree | time, mean / max, ms | to 2^k below | messages sent per node | most received by one | to the mean | reached it |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Times are virtual, from the common start. \`to 2^k below\` compares the mean time with that of the greatest power of two not above N. The packed tree is left out where it takes minutes to play.
`;
writeRecord('bench-tree', text, largest === whole);
