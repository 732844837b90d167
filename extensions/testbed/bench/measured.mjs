/**
 * `npm run bench -- measured`: one scenario simulated, emulated on loopback, and on a testbed of hosts; prints the page and
 * writes it to records/measured.md. It needs what `tutti testbed` needs, and a machine that does nothing else.
 * `--seeds N` (default 3) averages over so many seeds, `--hosts N` and `--nodes-per-host N` are the testbed's, and
 * `--period MS` is by default the one that `tutti cluster` takes for that many nodes.
 */
import { availableParallelism, loadavg } from 'node:os';
import { version } from '@tutti/core';
import { defaultScenario, simulate } from '@tutti/simulation';
import { columns, machine, mean, options, tutti, writeRecord } from '../../../scripts/bench/frame.mjs';
import { grouped } from '../../../scripts/markdown.mjs';

const given = options({ seeds: 3, hosts: 11, 'nodes-per-host': 12, period: undefined });
const { hosts, 'nodes-per-host': nodesPerHost } = given;
const nodes = hosts * nodesPerHost;
const seeds = Array.from({ length: given.seeds }, (_, k) => k + 1);
const cores = availableParallelism();
const paperPeriodMs = defaultScenario.periodMs;

const loadBefore = loadavg()[0];
const first = told('cluster', ...clusterFlags(seeds[0]), ...(given.period ? ['--period', given.period] : []));
const periodMs = first.scenario.periodMs;
const loopback = [first, ...seeds.slice(1).map((seed) => told('cluster', ...clusterFlags(seed), '--period', periodMs))];
const testbed = seeds.map((seed) =>
  told(
    ...['testbed', '--hosts', hosts, '--nodes-per-host', nodesPerHost, '--latency', 'aws', '--timeout', 600],
    ...['--period', periodMs, '--seed', seed],
  ),
);
const checkMs =
  (1000 * meanOf(loopback, (run) => run.cpuSeconds)) / (nodes * meanOf(loopback, (run) => run.checked.mean));
const simulated = (verifyMs, cpu, period = periodMs) =>
  seeds.map((seed) =>
    simulate({
      ...defaultScenario,
      nodes,
      seed,
      network: 'aws',
      threshold: 0.99,
      periodMs: period,
      verifyMs,
      cpu: { ...defaultScenario.cpu, ...cpu },
    }),
  );
/** Cores that the simulation gives to regions in the place of this machine's. */
const slowCores = Math.ceil(nodes / nodesPerCore());
const [paper, paperAtPeriod, alone, shared] = [
  simulated(4, {}, paperPeriodMs),
  simulated(4, {}),
  simulated(checkMs, { spread: 1 }),
  simulated((checkMs * slowCores) / cores, { spread: 1, nodesPerCore: nodesPerCore() }),
];
const measuredCpu = (run) => run.cpuSeconds;
const shareOfCores = (run) => ((100 * run.cpuSeconds) / (cores * run.timeToThresholdMs.max)) * 1000;
const rows = Object.entries({
  [`simulated, a core a node, 4 ms a check, period ${paperPeriodMs} ms: the paper's`]: paper,
  'simulated, a core a node, 4 ms a check': paperAtPeriod,
  [`simulated, a core a node, ${checkMs.toFixed(2)} ms a check`]: alone,
  [`simulated, ${cores} cores for all, ${checkMs.toFixed(2)} ms a check`]: shared,
  'emulated on loopback, `tutti cluster --emulate aws`': loopback,
  [`on a testbed of ${hosts} hosts, \`tutti testbed\``]: testbed,
}).map(([name, runs]) => {
  const of = (measure, digits = 0) => grouped(meanOf(runs, measure), digits);
  return { name, of, cpu: runs[0].cpuSeconds === undefined ? undefined : measuredCpu };
});

const sealBytes = meanOf(loopback, bytesAMessage) - meanOf(shared, bytesAMessage);
writeRecord(
  'measured',
  `# Measured beside the simulation

Written by \`npm run bench -- measured\` (version ${version}). The same scenario in three worlds: Handel, ${nodes} nodes, the AWS round trips of v1.03 appendix B, 99 %,
period ${periodMs} ms, levels 50 ms apart, fast path 10; each figure is the mean over seeds ${seeds.join(', ')}. [The testbed](../README.md) gives its ${hosts} hosts ${nodesPerHost} nodes each.

Machine: ${machine()}; load average before the first run ${loadBefore.toFixed(1)}${loadBefore > 0.5 ? ', so others had a share of the cores: read ratios, not seconds' : ''}.

${columns(rows, [
  ['', ({ name }) => name],
  [
    'time to threshold, ms: min / mean / max',
    ({ of }) => ['min', 'mean', 'max'].map((end) => of((run) => run.timeToThresholdMs[end])).join(' / '),
  ],
  ['messages sent per node', ({ of }) => of((run) => run.messagesSent.mean)],
  ['bytes sent per node', ({ of }) => of((run) => run.bytesSent.mean)],
  ['bytes a message', ({ of }) => of(bytesAMessage)],
  ['checks per node', ({ of }) => of((run) => run.checked.mean, 1)],
  ['CPU s, share of the cores', ({ of, cpu }) => (cpu ? `${of(cpu, 1)}, ${of(shareOfCores)} %` : '')],
])}

The testbed's router and cables took another ${meanOf(testbed, (run) => run.networkCpuSeconds).toFixed(1)} CPU-s. CPU is counted from the common start until all had reached the threshold; its share is of
what all cores had to give in that time: the rest went to waiting for periods, and to whatever else ran on the machine.

## Why they differ

- **The period.** So many nodes on ${cores} cores cannot look at what a period of ${paperPeriodMs} ms would have them send. With ${periodMs} ms instead, and nothing else changed, the mean time
  goes from ${meanTime(paper)} to ${meanTime(paperAtPeriod)} ms: what the fast path does not complete waits for whole periods.
- **The cores.** The paper's nodes have a core each; here ${nodes} nodes share ${cores}. From the third row to the fourth only the cores change, and the mean time goes from ${meanTime(alone)}
  to ${meanTime(shared)} ms: nodes wait for the checks of their neighbours, and fall behind what they are sent meanwhile.
- **The fourth row** is given what loopback spent: its CPU seconds over its checks, ${checkMs.toFixed(2)} ms, messages included. A simulated core belongs to nodes of one region, so the ${cores} cores are
  played by ${slowCores} that are each ${(slowCores / cores).toFixed(1)} times as slow. In the simulation a node's timers and messages are for free; on the machine they wait, with everything else of their process, for
  the check or the batch of checks that is under way, so that answers come later than the simulation has them.
- **Bytes.** A simulated message is counted as it leaves the node. On a wire it is sealed for its receiver, which adds a header and a tag: ${sealBytes.toFixed(0)} bytes more a message here.
  IP and UDP headers are counted nowhere.
- **Messages** go with time: a node that waits longer for the threshold disseminates for more periods.
- **Jitter.** The simulation and the testbed draw the internet's jitter; \`--emulate\` only delays.
- **Places.** The simulation and the emulation have the same nodes in the same regions. On the testbed nodes of a host are neighbours in the registry, not in the overlay, so the same number of
  nodes is in each region, but others; and what they send each other does not leave the host, so it takes no time instead of 1 ms.
- **Processes.** On loopback a process a core, in each of which nodes share keys, memory and a batch. On the testbed a process a host, which the system's scheduler lets take turns; packets pass
  the queues of two namespaces, a TUN device each and a router that wakes once a millisecond at the finest.
- **Chance.** One process's pause of a few milliseconds changes who is checked first, so that runs on the machine differ from each other, and most at the last node.
- **Starts.** All three have one common start. Real nodes meet their peers for the first time in the run, which costs each pair one key exchange.

What a cluster costs beside one of the Go reference: [bench-cluster](../../../docs/records/bench-cluster.md).

`,
  true,
  'extensions/testbed/records',
);

/** Says what is run, for it takes minutes. */
function told(...args) {
  console.error(`tutti ${args.join(' ')}`);
  return tutti(args, { quiet: false });
}

function clusterFlags(seed) {
  return ['--nodes', nodes, '--emulate', 'aws', '--timeout', 600, '--seed', seed];
}

/** As many as are in a region, so that there are as many simulated cores as regions. */
function nodesPerCore() {
  return Math.ceil(nodes / Math.min(11, nodes));
}

function meanTime(runs) {
  return grouped(meanOf(runs, (run) => run.timeToThresholdMs.mean));
}

function meanOf(runs, measure) {
  return mean(runs.map(measure));
}

function bytesAMessage(run) {
  return run.bytesSent.mean / run.messagesSent.mean;
}
