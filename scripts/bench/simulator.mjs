/**
 * The cost of simulated runs, each in a separate process.
 *
 * `npm run bench -- simulation`: runs from N = 1024 to 131,072; writes the record in docs/benchmarks/simulator.md.
 *
 * `npm run bench -- growth`: Handel from N = 1024 to 2^20. The command stores the measurements in
 * docs/benchmarks/bench-growth.json. The command writes the table and the fits of v1.03 section 4.1 to
 * docs/benchmarks/simulator.md, and the numbers of the figures' report to growthRuns.json. A size already measured with
 * this version of the code is not run again. With `--max N`, larger sizes keep the measurements of an earlier version;
 * the largest size takes a quarter of an hour.
 *
 * Each benchmark prints its tables; `--max N` stops at a smaller size.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { version } from '@tutti/core';
import { fitLine } from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { root } from '../run.mjs';
import { byName, columns, machine, machineLine, options, table, tutti, writeRecord } from './frame.mjs';

const percent = (share) => `${share * 100} %`;
const millions = (value) => (value / 1e6).toFixed(2);
const done = (nodes, dead) => console.error(`${nodes} nodes, ${percent(dead)} dead: done`);

/** Measures each size up to --max, with no dead nodes and with a fifth of the nodes dead. */
function withDead(sizes, measure) {
  const { max } = options({ max: sizes.at(-1) });
  const cases = [0, 0.2].flatMap((dead) => sizes.filter((size) => size <= max).map((nodes) => ({ nodes, dead })));
  return cases.flatMap(({ nodes, dead }) => {
    const measured = measure(nodes, dead);
    if (measured === undefined) return [];
    done(nodes, dead);
    return [{ nodes, dead, ...measured }];
  });
}

/**
 * Millions of messages per CPU second, including initialisation, of the Java simulator of the paper, measured once on
 * one core.
 */
const paperSimulator = { 1024: 0.286 / 1.39, 4096: 1.41 / 7.4, 16384: 6.76 / 78.9 };

function simulation() {
  const rows = withDead([1024, 4096, 16_384, 65_536, 131_072], (nodes, dead) => {
    if (dead > 0 && nodes > 16_384) return undefined;
    const runs = nodes <= 4096 ? 8 : nodes <= 16_384 ? 4 : nodes <= 65_536 ? 2 : 1;
    const of = tutti(['bench', 'simulation', '--nodes', nodes, '--dead', dead, '--runs', runs]);
    const theirs = dead === 0 ? paperSimulator[nodes] : undefined;
    return { first: of.runs[0], last: of.runs.at(-1), runs, theirs, loopSeconds: of.referenceLoopSeconds };
  });
  const healthy = rows.filter(({ dead }) => dead === 0);
  /** Returns the slope of a least-squares line through the logarithms of the points. */
  const exponent = (name) =>
    fitLine(healthy.map(({ nodes, first }) => [Math.log(nodes), Math.log(first[name])])).slope.toFixed(2);
  const fitted =
    healthy.length > 1
      ? `Fitted over the sizes without dead nodes: CPU time grows as N^${exponent('cpuSeconds')}, messages as N^${exponent('messagesDelivered')}, peak memory as N^${exponent('peakRssBytes')}.`
      : '';
  writeRecord(
    'simulation',
    `${machineLine()}

${columns(rows, [
  ['N', ({ nodes }) => grouped(nodes)],
  ['dead', ({ dead }) => percent(dead)],
  ['delivered', ({ first }) => grouped(first.messagesDelivered)],
  ['per CPU-s, last run', ({ runs, last }) => (runs > 1 ? `${millions(last.messagesPerCpuSecond)} M` : '')],
  [
    'last run over the paper’s simulator',
    ({ last, theirs }) => (theirs ? `${(last.messagesPerCpuSecond / 1e6 / theirs).toFixed(0)} x` : ''),
  ],
  ['peak memory', ({ first }) => `${grouped(first.peakRssBytes / 1e6)} MB`],
  ['wall, whole process', ({ first }) => `${first.wallSeconds.toFixed(1)} s`],
  ['mean time to threshold', ({ first }) => `${first.timeToThresholdMs.mean.toFixed(0)} ms`],
])}

${fitted}
`,
  );
}

function grown(nodes) {
  const { runs } = tutti(['bench', 'simulation', '--runs', 1, '--nodes', nodes], { quiet: false });
  const [{ digest, timeToThresholdMs, messagesSent, checked, messagesDelivered, cpuSeconds, peakRssBytes }] = runs;
  const means = { timeMs: timeToThresholdMs.mean, messagesSent: messagesSent.mean, checked: checked.mean };
  return { nodes, digest, ...means, messagesDelivered, cpuSeconds, peakRssBytes, machine: machine(), version };
}

const fits = [
  { what: 'time to threshold, ms', of: 'log2 N', x: (n) => Math.log2(n), y: (row) => row.timeMs },
  { what: 'messages sent per node', of: 'log2² N', x: (n) => Math.log2(n) ** 2, y: (row) => row.messagesSent },
  { what: 'checks per node', of: 'log2² N', x: (n) => Math.log2(n) ** 2, y: (row) => row.checked },
];

function growth() {
  const sizes = [1024, 4096, 16_384, 65_536, 262_144, 1_048_576];
  const { max } = options({ max: sizes.at(-1) });
  const file = `${root}docs/benchmarks/bench-growth.json`;
  let rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  for (const nodes of sizes.filter((size) => size <= max)) {
    if (rows.some((row) => row.nodes === nodes && row.version === version)) continue;
    rows = [...rows.filter((row) => row.nodes !== nodes), grown(nodes)].sort((a, b) => a.nodes - b.nodes);
    writeFileSync(file, `${JSON.stringify(rows, undefined, 2)}\n`);
    done(nodes, 0);
  }
  writeShown(rows);
  const fitted = fits.map(({ what, of, x, y }) => {
    const fit = fitLine(rows.map((row) => [x(row.nodes), y(row)]));
    return [what, `${fit.intercept.toFixed(1)} + ${fit.slope.toFixed(2)} ${of}`, fit.r2.toFixed(4)];
  });
  writeRecord(
    'growth',
    `${columns(rows, [
      ['N', ({ nodes }) => grouped(nodes)],
      ['mean time to threshold', ({ timeMs }) => `${grouped(timeMs)} ms`],
      ['messages sent per node', ({ messagesSent }) => messagesSent.toFixed(1)],
      ['checks per node', ({ checked }) => checked.toFixed(1)],
      ['delivered', ({ messagesDelivered }) => grouped(messagesDelivered)],
      ['CPU', (row) => `${row.cpuSeconds.toFixed(1)} s`],
      ['peak memory', ({ peakRssBytes }) => `${grouped(peakRssBytes / 1e6)} MB`],
      ['digest', ({ digest }) => digest],
      ['code', (row) => row.version],
    ])}

Least-squares fit over all sizes:

${table(['figure', 'fit', 'R²'], fitted)}

Machine: ${[...new Set(rows.map((row) => row.machine))].join('; ')}.
`,
  );
}

/** Writes the numbers for the report's figure on growth. */
function writeShown(rows) {
  const rounded = (mean) => +mean.toFixed(4);
  const shown = rows.map(({ nodes, timeMs, messagesSent, checked, digest, version: of }) => ({
    ...{ nodes, timeMs: rounded(timeMs), messagesSent: rounded(messagesSent), checked: rounded(checked) },
    ...{ digest, version: of },
  }));
  writeFileSync(`${root}apps/node-cli/src/figures/growthRuns.json`, `${JSON.stringify(shown, undefined, 2)}\n`);
}

byName({ simulation, growth });
