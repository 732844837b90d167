/**
 * `npm run bench -- cluster`: clusters on loopback beside the Go reference's; prints the table and writes it to
 * docs/records/bench-cluster.md. `--max N` stops at a smaller size.
 */
import { join } from 'node:path';
import { inFolder, machineLine, mean, options, table, tutti, writeRecord } from './frame.mjs';

const runs = 3;
const { max } = options({ max: 512 });

/**
 * The Go reference on loopback, 2 cores, one process, period 50 ms, 99 %: least and most over its runs; what it did not
 * finish is undefined. CPU-seconds, checks per node, kB sent per node.
 */
const reference = {
  64: { cpu: [4.5, 6.3], checks: [22, 35] },
  128: { cpu: [12, 18], checks: [30, 47] },
  256: { cpu: [55, 59], checks: [58, 61], kB: [127, 140] },
  512: undefined,
};

const sizes = Object.keys(reference)
  .map(Number)
  .filter((nodes) => nodes <= max);
const measured = inFolder((folder) =>
  sizes.map((nodes) => {
    const flags = ['--nodes', nodes, '--period', 50, '--processes', 1, '--timeout', 600, '--force'];
    const documents = Array.from({ length: runs }, (_, run) =>
      tutti(['cluster', ...flags, '--seed', run + 1, '--out', join(folder, 'cluster.json')]),
    );
    console.error(`${nodes} nodes: done`);
    return { nodes, documents };
  }),
);
const rows = measured.map(({ nodes, documents }) => {
  const of = (value) => documents.map(value);
  const ours = (value, digits) => range(of(value), digits);
  const theirs = reference[nodes];
  return [
    nodes,
    `${Math.min(...of((run) => run.reached))} of ${nodes}`,
    ours((run) => run.cpuSeconds, 2),
    theirs ? range(theirs.cpu, 1) : 'did not finish',
    theirs ? (mean(of((run) => run.cpuSeconds)) / mean(theirs.cpu)).toFixed(2) : '',
    ours((run) => run.checked.mean, 1),
    theirs ? range(theirs.checks, 0) : '',
    ours((run) => run.bytesSent.mean / 1000, 0),
    theirs?.kB ? range(theirs.kB, 0) : '',
    `${Math.round(mean(of((run) => run.timeToThresholdMs.mean)))} ms`,
    `${Math.round(Math.max(...of((run) => run.peakRssBytes)) / 1e6)} MB`,
  ];
});

const lines = [
  '# Clusters beside the Go reference',
  '',
  `Printed by \`npm run bench -- cluster\`. Handel with real BLS signatures over UDP on loopback, all nodes in one process, period 50 ms, 99 %, ${runs} runs with different seeds: the least and the most. CPU-seconds are those of the process that hosts the nodes, from the common start until the last node reached the threshold; the Go reference's (ConsenSys/handel, BN256, two cores, one process) are counted in the same way and were measured once, on another machine.`,
  '',
  'What makes the difference: contributions that wait in one process are verified in one batch, each with a random coefficient of its own, which costs a tenth of a single check (docs/records/bench-kernel.md); level states and bitsets are shared, not copied; a peer whose level is complete gets no more messages on it. On the other hand, every packet is sealed and authenticated, which the Go reference does not do; it has no proofs of possession and no scoring window either, and BN256 where this has BLS12-381.',
  '',
  machineLine(),
  '',
  table(
    [
      ...['N', 'reached', 'CPU-s', 'Go reference', 'ratio of the means', 'checks per node', 'Go reference'],
      ...['kB sent per node', 'Go reference', 'time to threshold, mean', 'peak memory'],
    ],
    rows,
  ),
];
writeRecord('bench-cluster', `${lines.join('\n')}\n`, max >= 512);

function range(values, digits) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return least === most ? least : `${least} to ${most}`;
}
