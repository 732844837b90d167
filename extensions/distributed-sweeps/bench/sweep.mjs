/**
 * `npm run bench -- sweep`: one sweep with one job, with a job a core, and through Redis with a job a core, in turn for so
 * many rounds; prints the rates and writes records/sweep.md. `--rounds N` (2), `--seeds N` (200), `--dry` to write
 * no page.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { runnerImport } from 'vite';
import { machineLine, options, table, writeRecord } from '../../../scripts/bench/frame.mjs';
import { root } from '../../../scripts/run.mjs';

const { rounds, seeds, dry } = options({ rounds: 2, seeds: 200, dry: false });
const cores = availableParallelism();
const tutti = join(root, 'apps/node-cli/bin/tutti.js');
const { module: redises } = await runnerImport(`${import.meta.dirname}/../tests/redis.ts`);
if (!redises.hasRedis) {
  console.error('redis-server: expected on the PATH, got none; on Debian: apt-get install redis-server');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'tutti-bench-'));
const plan = {
  name: 'bench',
  vary: { nodes: [64, 256, 1024], dead: [0, 0.2] },
  seeds: { from: 1, count: seeds },
};
const planFile = join(folder, 'sweep.json');
writeFileSync(planFile, JSON.stringify(plan));
const points = plan.vary.nodes.length * plan.vary.dead.length * plan.seeds.count;

let outputs = 0;
async function sweep(command, ...args) {
  const out = join(folder, `${++outputs}.jsonl`);
  const child = spawn(process.execPath, [tutti, ...command, planFile, '--out', out, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`tutti ${command.join(' ')} ${args.join(' ')}: expected exit code 0, got ${code}`);
  const { wallSeconds, cpuSeconds } = JSON.parse(said);
  return { wallSeconds, cpuSeconds, lines: readFileSync(out, 'utf8').trim().split('\n').toSorted().join('\n') };
}

const server = await redises.startRedis(folder);
const { url } = server;
const redis = new Redis(url);
async function redisCpuSeconds() {
  const info = await redis.info('cpu');
  return Number(/used_cpu_sys:([\d.]+)/.exec(info)[1]) + Number(/used_cpu_user:([\d.]+)/.exec(info)[1]);
}

/** A new worker each time, so that its threads are as cold as those of the other ways. */
async function sweepThroughRedis() {
  const worker = spawn(process.execPath, [tutti, 'distributed-sweeps', 'worker', '--redis', url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(worker, 'close');
  let last = '';
  const serving = new Promise((resolve) => {
    createInterface({ input: worker.stderr }).on('line', (line) => {
      last = line;
      if (line.startsWith('serving')) resolve();
    });
  });
  await serving;
  const before = await redisCpuSeconds();
  const result = await sweep(['distributed-sweeps', 'run'], '--redis', url);
  const cpuSeconds = result.cpuSeconds + (await redisCpuSeconds()) - before;
  worker.kill('SIGTERM');
  await closed;
  return { ...result, cpuSeconds: cpuSeconds + Number(/ in ([\d.,]+) s of CPU/.exec(last)[1].replace(',', '')) };
}

const ways = [
  { name: 'one job', run: () => sweep(['sweep'], '--jobs', '1'), rounds: [] },
  { name: `a job a core (${cores})`, run: () => sweep(['sweep'], '--jobs', String(cores)), rounds: [] },
  { name: `through Redis, a job a core (${cores})`, run: sweepThroughRedis, rounds: [] },
];
const scalings = [];
const loads = [];
try {
  let expected;
  for (let round = 0; round < rounds; round++) {
    loads.push(loadavg()[0]);
    scalings.push(await referenceScaling());
    for (const way of ways) {
      const { lines, ...figures } = await way.run();
      expected ??= lines;
      if (lines !== expected) throw new Error(`${way.name}: expected the results of the first way, got others`);
      way.rounds.push(figures);
      console.log(
        `round ${round + 1}, ${way.name}: ${figures.wallSeconds.toFixed(2)} s, CPU ${figures.cpuSeconds.toFixed(2)} s`,
      );
    }
  }
} finally {
  redis.disconnect();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Integer arithmetic in registers: what the cores themselves give, without memory. A thread's whole program. */
function loop() {
  let state = 1;
  for (let step = 0; step < 300_000_000; step++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return state;
}

/** How many times as much of the loop is done when all cores do it at once: what any program can hope for just now. */
async function referenceScaling() {
  const wallOf = async (threads) => {
    const began = performance.now();
    const started = Array.from({ length: threads }, () => new Worker(`(${loop})()`, { eval: true }));
    await Promise.all(started.map((thread) => once(thread, 'exit')));
    return performance.now() - began;
  };
  const one = await wallOf(1);
  return (cores * one) / (await wallOf(cores));
}

const least = (numbers) => Math.min(...numbers);
const best = ways.map((way) => ({
  name: way.name,
  wall: least(way.rounds.map((one) => one.wallSeconds)),
  cpu: least(way.rounds.map((one) => one.cpuSeconds)),
}));
const [one, all, through] = best;
const rows = best.map(({ name, wall, cpu }) => [
  ...[name, `${wall.toFixed(2)} s`, (points / wall).toFixed(1), `${(one.wall / wall).toFixed(2)} x`],
  ...[`${cpu.toFixed(2)} s`, `${(cpu / one.cpu).toFixed(2)} x`],
]);
const busy = scalings.some((scaling) => scaling < 0.95 * cores);
const warning = busy
  ? '\n**The machine was busy with other work: the walls and rates below say little, the CPU times more. To be run again.**\n'
  : '';
const text = `# The rate of a sweep

Written by \`npm run bench -- sweep\`. [A sweep](../../../docs/sweep.md) of ${points} points, ${plan.vary.nodes.join(', ')} nodes, with ${plan.vary.dead.map((share) => `${share * 100} %`).join(' and ')} dead, ${plan.seeds.count} seeds each; the best of ${rounds} rounds for each way, taking turns. Wall time runs from reading the plan to writing the last result, including starting the threads and compiling. CPU time is that of all processes together: the sweep, the worker and Redis.
${warning}
${machineLine()}

${table(['way', 'wall', 'points a second', 'rate over one job', 'CPU', 'CPU over one job'], rows)}

- ${cores} cores give ${(one.wall / all.wall).toFixed(2)} times the rate of one. At the same time a loop that touches no memory got ${scalings.map((scaling) => scaling.toFixed(2)).join(', ')} times as much done with all
  cores as with one (a figure a round; ${cores}.00 on an idle machine), with a load average of ${loads.map((load) => load.toFixed(1)).join(', ')} before each round.
- Through Redis, the rate is ${((100 * all.wall) / through.wall).toFixed(0)} % of that without it, and the sweep takes ${((100 * through.cpu) / all.cpu - 100).toFixed(1)} % more CPU time.
- The ${points} results were the same in every round of every way.
`;
writeRecord('sweep', text, !dry, 'extensions/distributed-sweeps/records');
