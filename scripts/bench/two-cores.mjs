/**
 * `npm run bench -- two-cores`: what one run on two cores could gain, each playing one half of the tree, under
 * conservative lookahead. Prints the table and writes it to docs/records/bench-two-cores.md. `--max N` (16,384) stops at a
 * smaller size.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CountingScheme, defaultHandelConfig, HandelMemory, HandelNode } from '../../packages/core/dist/index.js';
import { awsOneWayUs, awsRegions, createSimulation, defaultScenario } from '../../packages/simulation/dist/index.js';
import { grouped } from '../markdown.mjs';
import { root } from '../run.mjs';
import { machine, median, options, writeRecord } from './frame.mjs';

const { max } = options({ max: 16_384 });
const sizes = [1024, 4096, 16_384].filter((nodes) => nodes <= max);

const apart = awsRegions.flatMap((_, from) => awsRegions.map((_, to) => awsOneWayUs(from, to)));
const lookaheadUs = Math.min(...apart);
const barrierUs = await barrier(20_000);
const mergeNs = merged(500_000);
// What others do on the machine would be most of what two runs at once show; later the load is this benchmark's own.
const [load] = loadavg();
const isQuiet = load < 1.5;
const rows = [];
for (const [nodes, dead] of sizes.flatMap((size) => [
  [size, 0],
  [size, 0.2],
])) {
  const scenario = { ...defaultScenario, nodes, dead };
  const { windows, longerHalves, messages, crossing } = halves(scenario);
  const copies = copied(scenario);
  const [seconds, throughputs] = [[], []];
  for (let turn = 0; turn < 5; turn++) {
    const alone = await rates(scenario, 1);
    seconds.push(alone.seconds);
    if (isQuiet) throughputs.push((await rates(scenario, 2)).rate / alone.rate);
  }
  const alone = { seconds: median(seconds) };
  const throughput = isQuiet ? median(throughputs) : undefined;
  const imbalance = messages / longerHalves;
  const merge = (messages * mergeNs) / 1e9 / alone.seconds;
  const barriers = (windows * barrierUs) / 1e6 / alone.seconds;
  const copying = copies.seconds / alone.seconds;
  rows.push({
    nodes,
    dead,
    messages: messages / windows,
    merge,
    imbalance,
    crossing: crossing / messages,
    copies: copies.count / crossing,
    copying,
    barriers,
    throughput: throughput === undefined ? `not measured, load ${load.toFixed(1)}` : throughput.toFixed(2),
    // Both halves at once, the longer one last; then what both wait for, and what each copies.
    most:
      throughput === undefined
        ? '-'
        : (1 / (1 / ((throughput * imbalance) / 2) + barriers + merge + copying / 2)).toFixed(2),
  });
  console.error(`${nodes} nodes, ${dead * 100} % dead: done`);
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const page = [
  '# One run on two cores',
  '',
  'Source: [`simulation.ts`](../../packages/simulation/src/run/simulation.ts), which plays a run on one core. Printed by `npm run bench -- two-cores`.',
  '',
  'Each core would play one half of the tree. Nothing that happens in one half can reach the other sooner than the least latency between them, so both can',
  'play a window of that length and then wait for each other (conservative lookahead).',
  '',
  `- **The window is ${lookaheadUs / 1000} ms:** the halves share their regions, and within a region this is the least that a message takes.`,
  `- **A barrier takes ${barrierUs.toFixed(1)} µs:** two threads that meet by \`Atomics.wait\` and \`Atomics.notify\`, on average.`,
  `- **An event takes ${mergeNs.toFixed(0)} ns to merge:** each half writes down the four integers of an event that go into the digest, and the event's place in the order; one core then puts both logs into the digest in the order of the whole run, and the other core cannot help with that.`,
  '',
  '| N | dead | messages a window | speed-up that the halves’ loads allow | messages from the other half | contributions in each that are new to the half | all barriers, of a run’s time on one core | merging all messages, likewise | copying those contributions, likewise | two whole runs at once: rate over one alone | all of it together: speed-up at most |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
  ...rows.map(
    (row) =>
      `| ${grouped(row.nodes)} | ${row.dead * 100} % | ${grouped(row.messages)} | ${row.imbalance.toFixed(2)} | ${percent(row.crossing)} | ${row.copies.toFixed(2)} | ${percent(row.barriers)} | ${percent(row.merge)} | ${percent(row.copying)} | ${row.throughput} | ${row.most} |`,
  ),
  '',
  'The loads of the halves are counted in messages, window by window. Two whole runs at once give a bound: they share nothing, each in a process of its own, and the column says how much more they get done in a second of wall time than one run alone. The halves of one run, which wait for each other and hand over messages, cannot do better. The figure is the median of five turns, measured only while nothing else runs on the machine.',
  '',
  'Copying is measured by doing it: the set of each contribution that crosses is written out and read into a second table, once for all its messages. Where nobody is dead it costs nothing, because the sets that cross are full, and a full set is just the number of its block; with dead nodes it grows with N, as the sets do.',
  '',
  'It is not built. Contributions are handles into one table, and events in both halves change its reference counts and shared sets, so each half would need a table of its own. And of two events in the same microsecond, the one that was queued first comes first, whichever half queued it: so a message from the other half would need to carry the place of the event that sent it in the order of the whole run. The last column is the most that could be gained, even if the second table and the common order cost nothing. A sweep already uses both cores: see [sweeps](../sweep.md).',
  '',
  `Machine: ${machine()}, load ${load.toFixed(1)} when it began; load lengthens`,
  'barriers and runs alike.',
  '',
].join('\n');
writeRecord('bench-two-cores', page);

/** Plays a run, counting by windows which half receives what. */
function halves(scenario) {
  const { nodes } = scenario;
  const counts = [];
  let crossing = 0;
  const onMessage = (from, to, _level, nowUs) => {
    const window = Math.floor(nowUs / lookaheadUs);
    counts[window] ??= [0, 0];
    counts[window][to < nodes / 2 ? 0 : 1]++;
    if (from < nodes / 2 !== to < nodes / 2) crossing++;
  };
  const simulation = createSimulation(scenario, { checker: { onMessage } });
  while (simulation.advance(1 << 20));
  const sum = (value) => counts.reduce((total, count) => total + value(count), 0);
  const messages = sum(([left, right]) => left + right);
  return {
    messages,
    crossing,
    windows: counts.filter((count) => count !== undefined).length,
    longerHalves: sum(([left, right]) => Math.max(left, right)),
  };
}

/**
 * Plays a run and copies what one half sends to the other into a second table, each contribution once for all its
 * messages, as long as the last so many are held there. Those that are full are a block's number and need no copying.
 */
function copied(scenario) {
  const { nodes } = scenario;
  class Table extends CountingScheme {
    copyOf(other, contribution) {
      return this.newContribution(other.block(contribution), other.setWords(contribution));
    }
  }
  const held = new Int32Array(4 * nodes);
  let count = 0;
  let ms = 0;
  const variant = ({ scheme, priorities, threshold }) => {
    const table = new Table(scheme.tree);
    const config = { ...defaultHandelConfig, threshold };
    const memory = new HandelMemory({ config, scheme, priorities });
    return (id, own, port) => {
      let lastWeight = 0;
      const send = (to, level, aggregate, individual, flags) => {
        port.send(to, level, aggregate, individual, flags);
        if (id < nodes / 2 === to < nodes / 2) return;
        const weight = scheme.weight(aggregate);
        if (weight === lastWeight || scheme.isFull(aggregate)) return;
        lastWeight = weight;
        const began = performance.now();
        const place = count++ % held.length;
        table.release(held[place]);
        held[place] = table.copyOf(scheme, aggregate);
        ms += performance.now() - began;
      };
      const watched = Object.assign(Object.create(port), { send });
      return new HandelNode({ id, config, scheme, priorities, own, port: watched, memory });
    };
  };
  const simulation = createSimulation(scenario, { nodes: variant });
  while (simulation.advance(1 << 20));
  return { count, seconds: ms / 1000 };
}

/** So many processes, each with the same run, at once: messages a second of wall time, all together. */
async function rates({ nodes, dead }, processes) {
  const args = ['simulate', '--json', '--nodes', String(nodes), '--dead', String(dead)];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = spawn('node', [`${root}apps/node-cli/bin/tutti.js`, ...args], { stdio: 'ignore' });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`tutti ${args.join(' ')}: expected exit code 0, got ${code}`);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return { seconds, rate: processes / seconds };
}

/** Microseconds that two threads take to meet, on average over so many times. */
async function barrier(times) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const other = new Worker(
    `const { workerData: { shared, times } } = require('node:worker_threads');
     for (let time = 1; time <= times; time++) {
       while (Atomics.load(shared, 0) < time) Atomics.wait(shared, 0, time - 1);
       Atomics.store(shared, 1, time); Atomics.notify(shared, 1);
     }`,
    { eval: true, workerData: { shared, times } },
  );
  await once(other, 'online');
  const began = performance.now();
  for (let time = 1; time <= times; time++) {
    Atomics.store(shared, 0, time);
    Atomics.notify(shared, 0);
    while (Atomics.load(shared, 1) < time) Atomics.wait(shared, 1, time - 1);
  }
  const took = performance.now() - began;
  await other.terminate();
  return (1000 * took) / times;
}

/** Nanoseconds to take an event of two logs into a digest in the order of both, the least of five times. */
function merged(events) {
  const width = 5;
  const log = (step) => {
    const ints = new Int32Array(events * width);
    for (let event = 0, timeUs = 0; event < events; event++) {
      timeUs += (Math.imul(event ^ step, 0x9e3779b1) >>> 29) % step;
      ints.set([timeUs, event, event & 0xfffff, event ^ step, event & 1023], event * width);
    }
    return ints;
  };
  const [left, right] = [log(5), log(7)];
  const end = events * width;
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5; turn++) {
    let [a, b, l, r] = [1, 2, 0, 0];
    const mix = (first, second) => {
      const x = Math.imul(a ^ first, 0xcc9e2d51);
      const y = Math.imul(b ^ second, 0x1b873593);
      a = (((x << 15) | (x >>> 17)) + y) | 0;
      b = ((y << 13) | (y >>> 19)) ^ x;
    };
    const began = performance.now();
    while (l < end || r < end) {
      const isLeft =
        r === end || (l < end && (left[l] < right[r] || (left[l] === right[r] && left[l + 1] <= right[r + 1])));
      const ints = isLeft ? left : right;
      const at = isLeft ? l : r;
      mix(ints[at], ints[at + 2]);
      mix(ints[at + 3], ints[at + 4]);
      if (isLeft) l += width;
      else r += width;
    }
    const took = performance.now() - began;
    // What is not used might not be computed.
    if (a === 0 && b === 0) throw new Error('digest: expected not to be zero');
    least = Math.min(least, took);
  }
  return (1e6 * least) / (2 * events);
}
