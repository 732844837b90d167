/**
 * `npm run bench -- growth`: Handel from N = 1024 to 2^20, each size in a process of its own. Keeps what was measured in
 * docs/records/bench-growth.json, and writes the table and the fits of v1.03 section 4.1 to docs/records/bench-growth.md, and what the
 * figures' report shows of it to growthRuns.ts. A size that this code has measured is not run again; `--max N` leaves
 * what is larger as an earlier code had it, for the largest takes a quarter of an hour.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { version } from '@tutti/core';
import { fitLine } from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { root } from '../run.mjs';
import { machine, options, table, tutti, writeRecord } from './frame.mjs';

const sizes = [1024, 4096, 16_384, 65_536, 262_144, 1_048_576];
const { max } = options({ max: sizes.at(-1) });
const file = `${root}docs/records/bench-growth.json`;

let rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
for (const nodes of sizes.filter((size) => size <= max)) {
  if (rows.some((row) => row.nodes === nodes && row.version === version)) continue;
  rows = [...rows.filter((row) => row.nodes !== nodes), measured(nodes)].sort((a, b) => a.nodes - b.nodes);
  writeFileSync(file, `${JSON.stringify(rows, undefined, 2)}\n`);
  console.error(`${nodes} nodes: done`);
}

function measured(nodes) {
  const { runs } = tutti(['bench', 'simulation', '--runs', 1, '--nodes', nodes], { quiet: false });
  const [{ digest, timeToThresholdMs, messagesSent, checked, messagesDelivered, cpuSeconds, peakRssBytes }] = runs;
  return {
    nodes,
    digest,
    timeMs: timeToThresholdMs.mean,
    messagesSent: messagesSent.mean,
    checked: checked.mean,
    messagesDelivered,
    cpuSeconds,
    peakRssBytes,
    machine: machine(),
    version,
  };
}

const shown = rows.flatMap(({ nodes, timeMs, messagesSent, checked, digest, version: of }) => [
  '  {',
  `    nodes: ${nodes},`,
  ...Object.entries({ timeMs, messagesSent, checked }).map(
    ([name, mean]) => `    ${name}: ${Number(mean.toFixed(4))},`,
  ),
  `    digest: '${digest}',`,
  `    version: '${of}',`,
  '  },',
]);
writeFileSync(
  `${root}apps/node-cli/src/figures/growthRuns.ts`,
  [
    '/** Written by `npm run bench -- growth`: one run a size, means over the nodes. The largest takes too long to be run for a report. */',
    'export const growthRuns = [',
    ...shown,
    '] as const;',
    '',
  ].join('\n'),
);

const fits = [
  { what: 'time to threshold, ms', of: 'log2 N', x: (n) => Math.log2(n), y: (row) => row.timeMs },
  { what: 'messages sent per node', of: 'log2² N', x: (n) => Math.log2(n) ** 2, y: (row) => row.messagesSent },
  { what: 'checks per node', of: 'log2² N', x: (n) => Math.log2(n) ** 2, y: (row) => row.checked },
];
const page = [
  '# Growth up to a million nodes',
  '',
  'v1.03 section 4.1: without Byzantine nodes time grows with log N, messages with log² N. Printed by `npm run bench -- growth` from',
  '[bench-growth.json](bench-growth.json), where it keeps its measurements: Handel, AWS, 99 %, counting scheme, nobody dead, seed 1, one run a size in a',
  'process of its own. CPU is user and system time of the whole process. The digests and the virtual figures are the same on any machine; CPU time is not, and depends on what else the machine does.',
  '',
  table(
    [
      ...['N', 'mean time to threshold', 'messages sent per node', 'checks per node', 'delivered', 'CPU'],
      ...['peak memory', 'digest', 'code'],
    ],
    rows.map((row) => [
      grouped(row.nodes),
      `${grouped(row.timeMs)} ms`,
      row.messagesSent.toFixed(1),
      row.checked.toFixed(1),
      grouped(row.messagesDelivered),
      `${row.cpuSeconds.toFixed(1)} s`,
      `${grouped(row.peakRssBytes / 1e6)} MB`,
      row.digest,
      row.version,
    ]),
  ),
  '',
  'Fitted by least squares through all sizes of the table:',
  '',
  table(
    ['', '', 'R²'],
    fits.map(({ what, of, x, y }) => {
      const fit = fitLine(rows.map((row) => [x(row.nodes), y(row)]));
      return [what, `${fit.intercept.toFixed(1)} + ${fit.slope.toFixed(2)} ${of}`, fit.r2.toFixed(4)];
    }),
  ),
  '',
  `Machine: ${[...new Set(rows.map((row) => row.machine))].join('; ')}.`,
  '',
].join('\n');
writeRecord('bench-growth', page);
