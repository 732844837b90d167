/**
 * `npm run bench:adaptive`: fixed and adaptive level starts and periods side by side, over sizes, networks, dead and
 * Byzantine nodes; prints the table and writes it to docs/bench-adaptive.md. All of it is virtual, so it is the same on
 * every machine. `--max N` stops at a smaller size and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { defaultScenario, simulate } from '@tutti/core/simulation';
import { wrapMarkdown } from './wrapMarkdown.mjs';

const max = process.argv.indexOf('--max');
const largest = max < 0 ? 1024 : Number(process.argv[max + 1]);
const seeds = [1, 2];

const troubles = [
  { name: 'nothing', change: {} },
  { name: '20 % dead', change: { dead: 0.2 } },
  { name: '30 % `silent`', change: { attacks: [{ name: 'silent', share: 0.3 }] } },
  { name: '30 % `invalid`', change: { attacks: [{ name: 'invalid', share: 0.3 }] } },
];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Means over the seeds. */
function measure(scenario) {
  const runs = seeds.map((seed) => simulate({ ...scenario, seed }));
  return {
    time: mean(runs.map((run) => run.timeToThresholdMs.mean)),
    sent: mean(runs.map((run) => run.messagesSent.mean)),
    checked: mean(runs.map((run) => run.checked.mean)),
    missing: runs.reduce((sum, run) => sum + run.live - run.reached, 0),
  };
}

const rows = [];
for (const nodes of [256, 1024].filter((size) => size <= largest)) {
  for (const network of ['aws', 'cities', 'constant:50', 'constant:5']) {
    for (const { name, change } of troubles) {
      const scenario = { ...defaultScenario, nodes, network, ...change };
      const [fixed, adaptive] = [false, true].map((on) => measure({ ...scenario, adaptive: on }));
      const pair = (key, digits) =>
        `${fixed[key].toFixed(digits)} / ${adaptive[key].toFixed(digits)} | ${(adaptive[key] / fixed[key]).toFixed(2)}`;
      const missing = fixed.missing + adaptive.missing;
      rows.push(
        `| ${nodes} | ${network} | ${name} | ${pair('time', 0)} | ${pair('sent', 0)} | ${pair('checked', 1)} | ${missing === 0 ? 'all' : `${fixed.missing} / ${adaptive.missing} not`} |`,
      );
      console.log(rows.at(-1));
    }
  }
}

const text = `# Adaptive level starts and periods, measured

*\`npm run bench:adaptive\` writes this page: means of seeds ${seeds.join(' and ')}, 99 %, the default parameters (levels 50 ms apart, a period of 20 ms). Cells are fixed / adaptive; the ratio is adaptive over fixed. [What the option does](mechanisms/adaptive.md).*

| N | network | in the way | mean time, ms | ratio | messages sent per node | ratio | checks per node | ratio | reached it |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Times are virtual, from the common start.
`;
if (max < 0) writeFileSync(new URL('../docs/bench-adaptive.md', import.meta.url), wrapMarkdown(text));
