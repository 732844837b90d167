/**
 * `npm run bench -- cluster`: the cost of clusters of real nodes, all in one process over UDP on loopback, compared
 * with the cost of the Go reference. Prints the table, and writes it to docs/benchmarks/network.md. `--max N` stops at
 * a smaller size; the table is then printed but not written.
 */
import { join } from 'node:path';
import { columns, inFolder, machineLine, mean, options, tutti, writeRecord } from './frame.mjs';

const flags = ['--period', 50, '--processes', 1, '--timeout', 600, '--force'];
/** Runs a cluster that writes its files to a separate folder. */
const clusterIn = (folder, nodes, run) =>
  tutti(['cluster', '--nodes', nodes, ...flags, '--seed', run + 1, '--out', join(folder, 'cluster.json')]);

const cpu = (run) => run.cpuSeconds;
const checks = (run) => run.checked.mean;
const kilobytes = (run) => run.bytesSent.mean / 1000;

/**
 * Results of the Go reference on loopback, with 2 cores, one process, a period of 50 ms and a threshold of 99 %:
 * minimum and maximum over its runs; undefined for sizes at which the reference did not finish. Each result contains
 * CPU seconds and checks per node, and at some sizes kB sent per node.
 */
const reference = {
  64: { cpu: [4.5, 6.3], checks: [22, 35] },
  128: { cpu: [12, 18], checks: [30, 47] },
  256: { cpu: [55, 59], checks: [58, 61], kB: [127, 140] },
  512: undefined,
};

const runs = 3;
const { max } = options({ max: 512 });
const sizes = Object.keys(reference).map(Number);
const rows = inFolder((folder) =>
  sizes
    .filter((nodes) => nodes <= max)
    .map((nodes) => {
      const documents = Array.from({ length: runs }, (_, run) => clusterIn(folder, nodes, run));
      console.error(`${nodes} nodes: done`);
      return { nodes, of: (value) => documents.map(value), theirs: reference[nodes] };
    }),
);
const kernels = [...new Set(rows.flatMap(({ of }) => of((run) => run.scenario.kernel)))];
writeRecord(
  'cluster',
  `${machineLine()} ${runs} runs with different seeds. BLS engine: ${kernels.join(', ')}.

${columns(rows, [
  ['N', ({ nodes }) => nodes],
  ['reached', ({ nodes, of }) => `${Math.min(...of((run) => run.reached))} of ${nodes}`],
  ['CPU-s', ({ of }) => range(of(cpu), 2)],
  ['Go reference', ({ theirs }) => (theirs ? range(theirs.cpu, 1) : 'did not finish')],
  [
    'mean / midpoint of the reference',
    ({ of, theirs }) => (theirs ? (mean(of(cpu)) / mean(theirs.cpu)).toFixed(2) : ''),
  ],
  ['checks per node', ({ of }) => range(of(checks), 1)],
  ['Go reference', ({ theirs }) => (theirs ? range(theirs.checks, 0) : '')],
  ['kB sent per node', ({ of }) => range(of(kilobytes), 0)],
  ['Go reference', ({ theirs }) => (theirs?.kB ? range(theirs.kB, 0) : '')],
  ['time to threshold, mean', ({ of }) => `${Math.round(mean(of((run) => run.timeToThresholdMs.mean)))} ms`],
  ['peak memory', ({ of }) => `${Math.round(Math.max(...of((run) => run.peakRssBytes)) / 1e6)} MB`],
])}`,
  max >= 512,
);

function range(values, digits) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return least === most ? least : `${least} to ${most}`;
}
