/**
 * `npm run numbers`: reproduces the numbers of the docs with the commands that each block of numbers names, and reports
 * differences from the pages; the exit code is then 1. The script does not repeat a command that the same code has
 * already run. Arguments without `--` select the pages whose names contain one of them.
 *
 * - `--write` writes the numbers into the pages, and also does what `--given` does.
 * - `--given` writes the numbers outside blocks into tests/vectors/given-numbers.json.
 * - `--long` includes the blocks whose commands take many minutes.
 * - `--sample` replays a sample, as CI does: one third of the blocks, chosen in turn by the number of the commit
 *   (`--run` selects another third), and one in ten of the other blocks, chosen at random with a seed that is printed
 *   (`--seed`). With `--budget N`, the sample takes at most about as long as N runs of 1,024 nodes.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { blocksOf, commandsOf, givenFile, givenNow, pagesWithNumbers, rendered } from './docs-numbers/blocks.mjs';
import { root } from './run.mjs';

const folder = join(root, 'node_modules/.cache/tutti/numbers');
const tutti = join(root, 'apps/node-cli/bin/tutti.js');
const env = { ...process.env, TUTTI_PROGRESS: 'none' };
const running = promisify(execFile);

/** @returns the output of each command, and the digest of the command's run. */
async function resultsOf(commands, { fresh, onDone }) {
  const file = join(folder, `${sourcesName()}.jsonl`);
  const results = fresh ? new Map() : kept(file);
  const todo = commands.filter((command) => !results.has(command)).sort((a, b) => costOf(b) - costOf(a));
  mkdirSync(folder, { recursive: true });
  const worker = async () => {
    for (let command = todo.shift(); command !== undefined; command = todo.shift()) {
      const result = await resultOf(command);
      results.set(command, result);
      appendFileSync(file, `${JSON.stringify({ command, ...result })}\n`);
      onDone(command);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

/**
 * Returns a name of the code that prints numbers: the packages, the command `tutti`, the scripts and the verifiers of
 * the gas costs. The version of `tutti` does not depend on all of these sources.
 */
export function sourcesName(repository = root) {
  const packages = join(repository, 'packages');
  const folders = [
    ...readdirSync(packages).map((name) => `packages/${name}/src`),
    ...['apps/node-cli/src', 'scripts', 'tests/verifiers', 'examples/contract'],
  ];
  const hash = createHash('sha256');
  for (const name of folders.filter((one) => existsSync(join(repository, one))))
    for (const path of readdirSync(join(repository, name), { recursive: true }).sort())
      if (/\.(ts|mjs|json|sol)$/.test(path) && !/\.test\.ts$/.test(path))
        hash
          .update(`${name}/${path}\0`)
          .update(readFileSync(join(repository, name, path)))
          .update('\0');
  return hash.digest('hex').slice(0, 16);
}

function kept(file) {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return new Map(lines.map((line) => JSON.parse(line)).map(({ command, ...result }) => [command, result]));
  } catch {
    return new Map();
  }
}

async function resultOf(command) {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
  const isScript = words[0].startsWith('scripts/');
  const isSimulated = words[0] === 'simulate';
  const args = isScript ? words : [tutti, ...words, ...(isSimulated ? ['--json'] : [])];
  try {
    const { stdout } = await running(process.execPath, args, { cwd: root, env, maxBuffer: 2 ** 28 });
    return { digest: isSimulated ? JSON.parse(stdout).digest : sha(stdout), output: stdout };
  } catch (error) {
    throw new Error(`tutti ${command}: expected exit code 0, got ${error.code}: ${error.stderr}`);
  }
}

const sha = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Commands that make many runs, and their approximate costs. The first entry that is a prefix of a command applies. */
const wholeTables = [
  ['scripts/calibrate.mjs --quirks', 12],
  ['scripts/calibrate.mjs', 30],
  ['slots network', 12],
  ['scripts/gas.mjs', 15],
  ['slots arrivals', 12],
  ['attack table', 150],
];

/**
 * Returns the approximate time of a command on one core, in runs of 1,024 nodes. The estimate is accurate enough to
 * draw a sample of the right size.
 */
function costOf(command) {
  const whole = wholeTables.find(([start]) => command.startsWith(start));
  if (whole !== undefined) return whole[1];
  const nodes = Number(/--nodes (\d+)/.exec(command)?.[1] ?? 1024);
  const slow = /complete-graph|gossip/.test(command) ? 10 : /--attack|--absent|--fault/.test(command) ? 3 : 1;
  return 0.2 + slow * (nodes / 1024) ** (slow === 10 ? 2 : 1.1);
}

const hashOf = (text) => createHash('sha256').update(text).digest().readUInt32LE(0);

/** Each CI run replays a third of the blocks in turn, so that three consecutive runs replay all of them. */
const thirdOf = (name) => hashOf(name) % 3;

/**
 * @template {{ readonly name: string }} Block
 * @param {readonly Block[]} blocks
 * @param {object} options
 * @param {number} options.run number of the check, which selects a third of the blocks.
 * @param {number} options.seed seed of the random order of the blocks.
 * @param {number} [options.budget] maximum cost of the sample, which takes blocks of the third first and then other
 * blocks; undefined to take the whole third and one in ten of the other blocks.
 * @param {(block: Block) => number} [options.costOf] cost of a block; required with a budget.
 * @returns {Block[]}
 */
export function sampleOf(blocks, { run, seed, budget, costOf }) {
  const drawn = blocks
    .map((block) => ({ block, isTurn: thirdOf(block.name) === run % 3, chance: hashOf(`${seed} ${block.name}`) }))
    .sort((a, b) => a.chance - b.chance);
  if (budget === undefined)
    return drawn.filter(({ isTurn, chance }) => isTurn || chance < 2 ** 32 / 10).map(({ block }) => block);
  let left = budget;
  return drawn
    .toSorted((a, b) => Number(b.isTurn) - Number(a.isTurn))
    .map(({ block }) => block)
    .filter((block) => {
      const cost = costOf(block);
      if (cost > left) return false;
      left -= cost;
      return true;
    });
}

/** Returns the blocks of a sample, as CI replays them. */
function sampled(all, values) {
  const commits = () => execFileSync('git', ['-C', root, 'rev-list', '--count', 'HEAD'], { encoding: 'utf8' });
  const run = Number(values.run ?? commits());
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  console.log(`sample: --run ${run} --seed ${seed}`);
  const budget = values.budget === undefined ? undefined : Number(values.budget);
  const cost = (block) => commandsOf(block).reduce((sum, command) => sum + costOf(command), 0);
  return sampleOf(all, { run, seed, budget, costOf: cost });
}

function difference(block, results) {
  const [before, now] = [block.whole, rendered(block, results)].map((text) => text.split('\n'));
  const lines = before.flatMap((line, at) => (line === now[at] ? [] : [`- ${line}`, `+ ${now[at] ?? ''}`]));
  return lines.slice(0, 40).join('\n');
}

function rewrite(page, stale, results) {
  const file = join(root, page);
  let text = readFileSync(file, 'utf8');
  for (const block of stale.filter((one) => one.page === page)) {
    text = text.replace(block.whole, () => rendered(block, results));
  }
  writeFileSync(file, text);
}

/** Reproduces the numbers of the pages, and reports or writes those that are stale. */
async function replay(values, positionals) {
  const all = pagesWithNumbers()
    .filter((page) => positionals.length === 0 || positionals.some((word) => page.includes(word)))
    .flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8')))
    .filter(({ isLong }) => values.long || !isLong);
  const blocks = values.sample ? sampled(all, values) : all;
  const commands = [...new Set(blocks.flatMap(commandsOf))];
  console.log(`${blocks.length} blocks of numbers, ${commands.length} commands`);
  let done = 0;
  const results = await resultsOf(commands, {
    fresh: values.sample,
    onDone: (command) => console.log(`${++done}: tutti ${command}`),
  });

  const stale = blocks.filter((block) => rendered(block, results) !== block.whole);
  for (const block of stale)
    console.log(`${block.name}: ${values.write ? 'rewritten' : 'stale'}\n${difference(block, results)}`);
  if (values.write) for (const page of new Set(stale.map(({ page }) => page))) rewrite(page, stale, results);
  console.log(
    `${blocks.length - stale.length} blocks are as printed now, ${stale.length} ${values.write ? 'rewritten' : 'stale'}`,
  );
  if (stale.length > 0 && !values.write) {
    console.error("stale numbers: expected the docs as their commands print them; run 'npm run numbers -- --write'");
    process.exit(1);
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      given: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      run: { type: 'string' },
      seed: { type: 'string' },
      budget: { type: 'string' },
    },
  });
  if (!values.given) await replay(values, positionals);
  if (values.given || values.write) writeFileSync(givenFile, `${JSON.stringify(givenNow(), undefined, 2)}\n`);
}
