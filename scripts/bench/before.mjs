/**
 * `npm run bench -- before DIR`: simulator, slots and cluster of this checkout beside those of another one, built, in
 * DIR. For each size the two take turns, each run in a process of its own, and the ratio of each pair is of CPU time: so
 * what else the machine does weighs on both. Prints the middle ratio and the least and the greatest. `--pairs K` (5),
 * `--max N` (65,536); `--figures` times the figures too, one pair of some minutes; `--note TEXT` is put under the table;
 * `--write` writes docs/records/bench-before.md too.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { grouped } from '../markdown.mjs';
import { root } from '../run.mjs';
import { inFolder, inPairs, options, table, tutti, writeRecord } from './frame.mjs';

const cases = [
  { what: 'runs of 64, the last of 200', nodes: 64, runs: 200, take: (runs) => sum(runs.slice(100)) },
  { what: 'runs of 1,024, the last of 12', nodes: 1024, runs: 12, take: (runs) => sum(runs.slice(6)) },
  { what: '4,096, first run', nodes: 4096 },
  { what: '16,384, first run', nodes: 16_384 },
  { what: '16,384, a fifth dead', nodes: 16_384, dead: 0.2 },
  { what: '65,536, first run', nodes: 65_536 },
  { what: '65,536, a fifth dead', nodes: 65_536, dead: 0.2 },
];
/** Runs of the sizes that figures and swarms run, by the hundred: of each size, seeds 1 to `seeds`. */
const sweeps = [
  { nodes: 64, seeds: 2000 },
  { nodes: 256, seeds: 500 },
  { nodes: 1024, seeds: 100 },
];
/** Whole commands, from their start to their end, with all their processes and threads. */
const commands = [
  {
    what: 'a slot of 131,072 on 10,000 nodes, Electra',
    args: 'slots network --preset electra --validators 131072 --in-row 1 --jobs 1',
  },
  {
    what: 'the same, Horn',
    args: 'slots network --preset horn --validators 131072 --in-row 1 --jobs 1',
  },
  { what: "the post's slots, 16,384 validators", args: 'horn compare --preset post --nodes 16384 --jobs 1' },
  { what: 'the same, 1,048,576 validators', args: 'horn compare --preset post --nodes 1048576 --jobs 1' },
  { what: 'a cluster of 64 nodes, 20 rounds', args: 'cluster --nodes 64 --rounds 20 --processes 1' },
  { what: 'a cluster of 256 nodes, 5 rounds', args: 'cluster --nodes 256 --rounds 5 --processes 1' },
];

/** A row for each, the digests of both sides compared. */
function rowsBeside(given) {
  const same = (before, after) => (before.digests.join() === after.digests.join() ? 'yes' : 'no');
  const rows = [];
  const add = (...cells) => {
    rows.push(cells);
    console.error(cells.join(' | '));
  };
  for (const { what, nodes, dead = 0, runs = 1, take = sum } of cases.filter(({ nodes }) => nodes <= given.max)) {
    const { ratios, before, after } = inTurns(given, (directory) => {
      const all = once(directory, nodes, dead, runs);
      const digests = all.map(({ digest }) => digest);
      return { cpuSeconds: take(all), digests, memory: `${Math.round(all.at(-1).peakRssBytes / 1e6)} MB` };
    });
    add(what, ratios, before.memory, after.memory, same(before, after));
  }
  for (const { nodes, seeds } of sweeps) {
    const { ratios, before, after } = inTurns(given, (directory) => swept(directory, nodes, seeds));
    add(`a sweep of ${grouped(seeds)} runs of ${grouped(nodes)}`, ratios, '', '', same(before, after));
  }
  for (const { what, args } of commands) {
    const cpuOf = (directory) => ({ cpuSeconds: cpuSecondsOf(directory, ...args.split(' ')) });
    add(what, inTurns(given, cpuOf).ratios, '', '', '');
  }
  if (given.figures) add('figures --quick, one pair', (figures(given.before) / figures(root)).toFixed(2), '', '', '');
  return rows;
}

function besideBefore() {
  const given = options({ pairs: 5, max: 65_536, figures: false, note: undefined, write: false });
  const [before] = given.rest;
  if (before === undefined || !existsSync(`${before}/apps/node-cli/dist/main.js`)) {
    console.error(`npm run bench -- before: expected the directory of a built checkout, got ${before}`);
    process.exit(2);
  }
  const head = ['', 'CPU, before / after: middle (least to greatest)', 'memory before', 'memory after', 'same digest'];
  writeRecord(
    'bench-before',
    `# Before and after

Printed by \`npm run bench -- before\`: another checkout and this one take turns, each run in a process of its own. Ratios are of CPU time (user and system), before over after: above 1, this checkout is faster. Memory is the peak of the process. Node ${process.versions.node}.

${table(head, rowsBeside({ ...given, before }))}
${given.note === undefined ? '' : `\n${given.note}\n`}`,
    given.write,
  );
}

function once(directory, nodes, dead, runs) {
  return tutti(['bench', 'simulation', '--nodes', nodes, '--dead', dead, '--runs', runs], { directory }).runs;
}

/**
 * Has two checkouts take turns; `run` tells the CPU seconds of one of them, and keeps of its last run what is compared.
 *
 * @returns the middle ratio, the least and the greatest, and what was kept of either.
 */
function inTurns({ before, pairs }, run) {
  const last = {};
  const kinds = { before, after: root };
  const ratios = inPairs(Object.keys(kinds), pairs, (turn) => {
    const { cpuSeconds, ...kept } = run(kinds[turn]);
    last[turn] = kept;
    return cpuSeconds;
  }).map(({ before, after }) => before / after);
  ratios.sort((a, b) => a - b);
  const [least, middle, greatest] = [ratios[0], ratios[ratios.length >> 1], ratios.at(-1)].map((x) => x.toFixed(2));
  return { ratios: `${middle} (${least} to ${greatest})`, ...last };
}

/** A sweep on one core: the CPU seconds of all its processes and threads, and its runs' digests. */
function swept(directory, nodes, seeds) {
  return inFolder((folder) => {
    const [plan, out] = [join(folder, 'sweep.json'), join(folder, 'sweep.jsonl')];
    writeFileSync(plan, JSON.stringify({ name: 'runs', base: { nodes }, vary: {}, seeds: { from: 1, count: seeds } }));
    const cpuSeconds = cpuSecondsOf(directory, 'sweep', plan, '--out', out, '--jobs', '1');
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    return { cpuSeconds, digests: lines.map((line) => JSON.parse(line).digest).sort() };
  });
}

/** CPU seconds of drawing the figures. */
function figures(directory) {
  return inFolder((folder) => cpuSecondsOf(directory, 'figures', '--quick', '--out', join(folder, 'figures')));
}

/** CPU seconds of a command, with those of the processes that it starts. */
function cpuSecondsOf(directory, ...args) {
  const script = ['-c', '"$0" "$@" > /dev/null 2>&1 && times', 'node', `${directory}/apps/node-cli/bin/tutti.js`];
  // The second line of `times` is that of the shell's children: minutes and seconds of user and system.
  const [, children] = execFileSync('bash', [...script, ...args], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((total, [, m, s]) => total + Number(m) * 60 + Number(s), 0);
}

function sum(runs) {
  return runs.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
}

besideBefore();
