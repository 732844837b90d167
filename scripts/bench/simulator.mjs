/**
 * What runs of the simulator cost, each in a process of its own.
 *
 * `npm run bench -- simulation`: from N = 1024 to 131,072; writes docs/records/bench-simulation.md.
 *
 * `npm run bench -- recording`: what recording a run costs, and how large its files are; writes
 * docs/records/bench-recording.md.
 *
 * `npm run bench -- growth`: Handel from N = 1024 to 2^20. Keeps what was measured in docs/records/bench-growth.json, and
 * writes the table and the fits of v1.03 section 4.1 to docs/records/bench-growth.md, and what the figures' report shows of
 * it to growthRuns.ts. A size that this code has measured is not run again; `--max N` leaves what is larger as an earlier
 * code had it, for the largest takes a quarter of an hour.
 *
 * Each prints its tables; `--max N` stops at a smaller size.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { version } from '@tutti/core';
import {
  createSimulation,
  decodeRecording,
  defaultScenario,
  encodeRecording,
  fitLine,
  perfettoTrace,
  shivizLog,
} from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { root } from '../run.mjs';
import { byName, cpuSeconds, machine, machineLine, options, ownProcess, table, tutti, writeRecord } from './frame.mjs';

const percent = (share) => `${share * 100} %`;
const done = (nodes, dead = 0) => console.error(`${nodes} nodes, ${percent(dead)} dead: done`);

/**
 * Millions of messages a CPU-second, initialising included, of the Java simulator that the paper used, measured once on
 * one core.
 */
const paperSimulator = { 1024: 0.286 / 1.39, 4096: 1.41 / 7.4, 16384: 6.76 / 78.9 };

function simulation() {
  const sizes = [1024, 4096, 16_384, 65_536, 131_072];
  const { max } = options({ max: sizes.at(-1) });
  const rows = [0, 0.2].flatMap((dead) =>
    sizes
      .filter((size) => size <= max && (dead === 0 || size <= 16_384))
      .map((nodes) => {
        const runs = nodes <= 4096 ? 8 : nodes <= 16_384 ? 4 : nodes <= 65_536 ? 2 : 1;
        const measured = tutti(['bench', 'simulation', '--nodes', nodes, '--dead', dead, '--runs', runs]);
        done(nodes, dead);
        return { nodes, dead, ...measured };
      }),
  );
  const shown = rows.map(({ nodes, dead, runs, referenceLoopSeconds }) => {
    const first = runs[0];
    const last = runs.at(-1);
    const theirs = dead === 0 ? paperSimulator[nodes] : undefined;
    return [
      grouped(nodes),
      percent(dead),
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
  /** The slope of a least-squares line through the logarithms. */
  const exponent = (value) =>
    fitLine(healthy.map((row) => [Math.log(row.nodes), Math.log(value(row))])).slope.toFixed(2);
  if (healthy.length > 1)
    lines.push(
      '',
      `Fitted over the sizes without dead nodes: CPU time grows as N^${exponent((row) => row.runs[0].cpuSeconds)}, messages as N^${exponent((row) => row.runs[0].messagesDelivered)}, peak memory as N^${exponent((row) => row.runs[0].peakRssBytes)}.`,
      '',
    );
  writeRecord('bench-simulation', lines.join('\n'));
}

function millions(value) {
  return (value / 1e6).toFixed(2);
}

const ways = { none: false, all: true, 'without sends': { sends: false } };

/** One scenario in this process, recorded in one way. */
export function recorded(nodes, dead, way, exports) {
  const scenario = { ...defaultScenario, nodes: Number(nodes), dead: Number(dead) };
  const simulation = createSimulation(scenario, { record: ways[way] });
  while (simulation.advance(1 << 20));
  const runSeconds = cpuSeconds();
  if (way === 'none') return { runSeconds, peakRssBytes: peakRssBytes() };
  const recording = simulation.recording();
  const columnsSeconds = cpuSeconds() - runSeconds;
  const measured = { runSeconds, columnsSeconds, peakRssBytes: peakRssBytes(), lines: recording.length };
  const [file, encodeMs] = clocked(() => encodeRecording(recording));
  const [, decodeMs] = clocked(() => decodeRecording(file));
  const gzipBytes = gzipSync(file).length;
  const arrays = [...Object.values(recording), ...Object.values(recording.world)].filter(ArrayBuffer.isView);
  const arrayBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
  const files = { arrayBytes, fileBytes: file.length, gzipBytes, encodeMs, decodeMs };
  if (exports !== 'exports') return { ...measured, ...files };
  const [perfettoBytes, perfettoMs] = clocked(() => sizeOf(perfettoTrace(recording)));
  const perfettoQuietBytes = sizeOf(perfettoTrace(recording, { messages: false }));
  const shivizBytes = nodes <= 256 ? sizeOf(shivizLog(recording, { maxNodes: 256 })) : undefined;
  return { ...measured, ...files, perfettoBytes, perfettoMs, perfettoQuietBytes, shivizBytes };
}

const one = (...args) =>
  ownProcess(`
    const { recorded } = await import(${JSON.stringify(import.meta.url)});
    result = recorded(...${JSON.stringify(args)})`);

function recording() {
  const { max } = options({ max: 16_384 });
  const cost = [];
  const sizes = [];
  for (const dead of [0, 0.2]) {
    for (const nodes of [64, 256, 1024, 4096, 16_384].filter((size) => size <= max)) {
      const [none, all, quiet] = Object.keys(ways).map((way) => one(nodes, dead, way));
      if (nodes >= 1024) {
        const shown = ({ runSeconds, columnsSeconds = 0, peakRssBytes }) => [
          (runSeconds + columnsSeconds).toFixed(2),
          megabytes(peakRssBytes),
        ];
        cost.push([grouped(nodes), percent(dead), ...shown(none), ...shown(all), ...shown(quiet)]);
      }
      const exported = one(nodes, dead, 'all', 'exports');
      sizes.push([
        grouped(nodes),
        percent(dead),
        grouped(all.lines),
        megabytes(all.arrayBytes),
        megabytes(all.fileBytes),
        megabytes(all.gzipBytes),
        megabytes(quiet.gzipBytes),
        `${all.encodeMs.toFixed(0)} + ${all.decodeMs.toFixed(0)} ms`,
        megabytes(exported.perfettoBytes),
        megabytes(exported.perfettoQuietBytes),
        exported.shivizBytes === undefined ? '' : megabytes(exported.shivizBytes),
      ]);
      done(nodes, dead);
    }
  }
  const lines = [
    '# What recording costs',
    '',
    'Printed by `npm run bench -- recording`. Handel, AWS, 99 %, counting scheme, seed 1, each run in a fresh process of its own. CPU-seconds are user and system time of the whole process from its start until it has the recording; peak memory is that of the process over the same time. The machine was shared.',
    '',
    machineLine(),
    '',
    table(
      [
        ...['N', 'dead', 'CPU-s', 'peak memory, MB', 'CPU-s, recorded', 'peak, MB'],
        ...['CPU-s, recorded without sends', 'peak, MB'],
      ],
      cost,
    ),
    '',
    'Sizes in MB (10^6 bytes); encoding and decoding times are without gzip.',
    '',
    table(
      [
        ...['N', 'dead', 'lines', 'in memory', 'file', 'file, gzip', 'gzip, without sends', 'encode + decode'],
        ...['Perfetto trace', 'trace without messages', 'ShiViz log'],
      ],
      sizes,
    ),
    '',
  ];
  writeRecord('bench-recording', lines.join('\n'));
}

function clocked(work) {
  const began = performance.now();
  return [work(), performance.now() - began];
}

function sizeOf(parts) {
  let size = 0;
  for (const part of parts) size += part.length;
  return size;
}

function peakRssBytes() {
  return process.resourceUsage().maxRSS * 1024;
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : bytes < 1e8 ? 1 : 0);
}

function grown(nodes) {
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

const fits = [
  { what: 'time to threshold, ms', of: 'log2 N', x: (n) => Math.log2(n), y: (row) => row.timeMs },
  { what: 'messages sent per node', of: 'log2² N', x: (n) => Math.log2(n) ** 2, y: (row) => row.messagesSent },
  { what: 'checks per node', of: 'log2² N', x: (n) => Math.log2(n) ** 2, y: (row) => row.checked },
];
function growth() {
  const sizes = [1024, 4096, 16_384, 65_536, 262_144, 1_048_576];
  const { max } = options({ max: sizes.at(-1) });
  const file = `${root}docs/records/bench-growth.json`;

  let rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  for (const nodes of sizes.filter((size) => size <= max)) {
    if (rows.some((row) => row.nodes === nodes && row.version === version)) continue;
    rows = [...rows.filter((row) => row.nodes !== nodes), grown(nodes)].sort((a, b) => a.nodes - b.nodes);
    writeFileSync(file, `${JSON.stringify(rows, undefined, 2)}\n`);
    done(nodes);
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
}

if (process.argv[1] === import.meta.filename) byName({ simulation, recording, growth });
