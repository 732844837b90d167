/**
 * `npm run bench -- branching`: trees of 2, 4 and 8 children a subtree side by side, over sizes, networks, dead and
 * Byzantine nodes; prints the table and writes it to docs/records/bench-branching.md. All of it is virtual, so it is the same
 * on every machine. `--max N` stops at a smaller size.
 */
import { defaultScenario, loadNetwork, simulate } from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { options, writeRecord } from './frame.mjs';

const whole = 4096;
const { max: largest } = options({ max: whole });

/** With shorter starts one tier starts as long after the other as levels do in the binary tree. */
const ways = [
  { branching: 2, levelStartMs: 50 },
  { branching: 4, levelStartMs: 50 },
  { branching: 8, levelStartMs: 50 },
  { branching: 4, levelStartMs: 25 },
  { branching: 8, levelStartMs: 50 / 3 },
];
const troubles = [
  { name: 'nothing', change: {} },
  { name: '20 % dead', change: { dead: 0.2 } },
  ...['silent', 'flood', 'invalid'].map((name) => ({
    name: `30 % \`${name}\``,
    change: { attacks: [{ name, share: 0.3 }] },
  })),
];
const times = (value, base) => `${(value / base).toFixed(2)}`;

await loadNetwork('cities');
const rows = [];
for (const nodes of [1024, 4096].filter((size) => size <= largest)) {
  for (const network of ['aws', 'cities']) {
    for (const { name, change } of troubles) {
      let base;
      for (const way of ways) {
        const run = simulate({ ...defaultScenario, nodes, network, ...change, ...way });
        base ??= run;
        const { timeToThresholdMs: time, messagesSent: sent, bytesSent: bytes, checked, live, reached } = run;
        const cells = [
          grouped(nodes),
          network,
          name,
          `${way.branching}${way.levelStartMs === 50 ? '' : ', tiers 50 ms apart'}`,
          `${grouped(time.mean)} / ${grouped(time.max)}`,
          times(time.mean, base.timeToThresholdMs.mean),
          grouped(sent.mean),
          times(sent.mean, base.messagesSent.mean),
          `${grouped(bytes.mean / 1000)}`,
          checked.mean.toFixed(1),
          times(checked.mean, base.checked.mean),
          reached === live ? 'all' : `${grouped(reached)} of ${grouped(live)}`,
        ];
        rows.push(`| ${cells.join(' | ')} |`);
        console.log(rows.at(-1));
      }
    }
  }
}

const text = `# Branching factors, measured

*\`npm run bench -- branching\` writes this page: seed 1, 99 %, the paper's parameters except where the table says otherwise. [About these trees](../branching.md).*

| N | network | in the way | branching | time, mean / max, ms | to 2 | messages sent per node | to 2 | kB sent | checked | to 2 | reached it |
|---|---|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Times are virtual, from the common start; \`to 2\` compares with the binary tree of the row group, whose levels start 50 ms apart. A level of another tree starts when the level with the same own side does in the binary tree.
`;
writeRecord('bench-branching', text, largest === whole);
