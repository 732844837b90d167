/**
 * `npm run bench -- recording`: what recording a run costs, and how large its files are, each run in a process of its own;
 * prints the table and writes it to docs/records/bench-recording.md. `--max N` stops at a smaller size.
 */
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import {
  createSimulation,
  decodeRecording,
  defaultScenario,
  encodeRecording,
  perfettoTrace,
  shivizLog,
} from '@tutti/simulation';
import { grouped } from '../markdown.mjs';
import { cpuSeconds, machineLine, options, table, writeRecord } from './frame.mjs';

const ways = { none: false, all: true, 'without sends': { sends: false } };

if (process.argv[2] === '--one') console.log(JSON.stringify(measure(...process.argv.slice(3))));
else compare();

/** One scenario in this process, recorded in one way. */
function measure(nodes, dead, way, exports) {
  const scenario = { ...defaultScenario, nodes: Number(nodes), dead: Number(dead) };
  const simulation = createSimulation(scenario, { record: ways[way] });
  while (simulation.advance(1 << 20));
  const runSeconds = cpuSeconds();
  if (way === 'none') return { runSeconds, peakRssBytes: peakRssBytes() };
  const recording = simulation.recording();
  const columnsSeconds = cpuSeconds() - runSeconds;
  const measured = { runSeconds, columnsSeconds, peakRssBytes: peakRssBytes(), lines: recording.length };
  const [file, encodeMs] = timed(() => encodeRecording(recording));
  const [, decodeMs] = timed(() => decodeRecording(file));
  const gzipBytes = gzipSync(file).length;
  const arrays = [...Object.values(recording), ...Object.values(recording.world)].filter(ArrayBuffer.isView);
  const arrayBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
  const files = { arrayBytes, fileBytes: file.length, gzipBytes, encodeMs, decodeMs };
  if (exports !== 'exports') return { ...measured, ...files };
  const [perfettoBytes, perfettoMs] = timed(() => sizeOf(perfettoTrace(recording)));
  const perfettoQuietBytes = sizeOf(perfettoTrace(recording, { messages: false }));
  const shivizBytes = nodes <= 256 ? sizeOf(shivizLog(recording, { maxNodes: 256 })) : undefined;
  return { ...measured, ...files, perfettoBytes, perfettoMs, perfettoQuietBytes, shivizBytes };
}

function compare() {
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
        cost.push([grouped(nodes), `${dead * 100} %`, ...shown(none), ...shown(all), ...shown(quiet)]);
      }
      const exported = one(nodes, dead, 'all', 'exports');
      sizes.push([
        grouped(nodes),
        `${dead * 100} %`,
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
      console.error(`${nodes} nodes, ${dead * 100} % dead: done`);
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

function one(...args) {
  const script = [import.meta.filename, '--one', ...args.map(String)];
  return JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' }));
}

function timed(work) {
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
