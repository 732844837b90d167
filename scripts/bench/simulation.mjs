/**
 * `npm run bench -- simulation`: the simulator from N = 1024 to 131,072, each size in processes of its own; prints the
 * table and writes it to docs/records/bench-simulation.md. `--max N` stops at a smaller size.
 */
import { fitLine } from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { machineLine, options, table, tutti, writeRecord } from './frame.mjs';

const sizes = [1024, 4096, 16_384, 65_536, 131_072];
const { max } = options({ max: sizes.at(-1) });

/**
 * Millions of messages a CPU-second, initialising included, of the Java simulator that the paper used, measured once on
 * one core.
 */
const paperSimulator = { 1024: 0.286 / 1.39, 4096: 1.41 / 7.4, 16384: 6.76 / 78.9 };

const rows = [];
for (const dead of [0, 0.2]) {
  for (const nodes of sizes.filter((size) => size <= max && (dead === 0 || size <= 16_384))) {
    const runs = nodes <= 4096 ? 8 : nodes <= 16_384 ? 4 : nodes <= 65_536 ? 2 : 1;
    rows.push({ nodes, dead, ...tutti(['bench', 'simulation', '--nodes', nodes, '--dead', dead, '--runs', runs]) });
    console.error(`${nodes} nodes, ${dead * 100} % dead: done`);
  }
}

const shown = rows.map(({ nodes, dead, runs, referenceLoopSeconds }) => {
  const first = runs[0];
  const last = runs.at(-1);
  const theirs = dead === 0 ? paperSimulator[nodes] : undefined;
  return [
    grouped(nodes),
    `${dead * 100} %`,
    grouped(first.messagesDelivered),
    `${millions(first.messagesPerCpuSecond)} M`,
    runs.length > 1 ? `${millions(last.messagesPerCpuSecond)} M` : '',
    theirs ? `${(last.messagesPerCpuSecond / 1e6 / theirs).toFixed(0)} x` : '',
    grouped(last.messagesPerCpuSecond * referenceLoopSeconds),
    `${((100 * first.initSeconds) / first.wallSeconds).toFixed(1)} %`,
    `${grouped(first.peakRssBytes / 1e6)} MB`,
    grouped(first.peakRssBytes / nodes),
    `${first.wallSeconds.toFixed(1)} s`,
    `${first.timeToThresholdMs.mean.toFixed(0)} ms`,
  ];
});

const lines = [
  '# The speed of the simulator',
  '',
  'Printed by `npm run bench -- simulation`. Handel, AWS, 99 %, counting scheme, one core; each size in a process of its own. CPU-seconds are user and system time of the whole process from its start, so the first run includes compiling; the last run is the steady figure. Because the machine was shared, one column counts the messages delivered in the time that a reference loop takes, a fixed amount of work (30 million steps over 64 MB).',
  '',
  machineLine(),
  '',
  table(
    [
      ...['N', 'dead', 'delivered', 'a CPU-s, first run', 'a CPU-s, last run', 'last run over the paper’s simulator'],
      ...['in a reference loop', 'init, share of wall', 'peak memory', 'bytes a node', 'wall, whole process'],
      'mean time to threshold',
    ],
    shown,
  ),
];
const healthy = rows.filter(({ dead }) => dead === 0);
if (healthy.length > 1)
  lines.push(
    '',
    `Fitted over the sizes without dead nodes: CPU time grows as N^${exponent((row) => row.runs[0].cpuSeconds)}, messages as N^${exponent((row) => row.runs[0].messagesDelivered)}, peak memory as N^${exponent((row) => row.runs[0].peakRssBytes)}.`,
    '',
  );
writeRecord('bench-simulation', lines.join('\n'));

/** The slope of a least-squares line through the logarithms. */
function exponent(value) {
  return fitLine(healthy.map((row) => [Math.log(row.nodes), Math.log(value(row))])).slope.toFixed(2);
}

function millions(value) {
  return (value / 1e6).toFixed(2);
}
