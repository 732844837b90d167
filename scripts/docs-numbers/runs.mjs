/**
 * Which blocks are replayed, and what that prints: runs the commands, each once, on all cores, and keeps what they print for
 * the code that printed it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../run.mjs';

const folder = join(root, 'node_modules/.cache/tutti/numbers');
const tutti = join(root, 'apps/node-cli/bin/tutti.js');
const env = { ...process.env, TUTTI_PROGRESS: 'none' };
const running = promisify(execFile);

/** @returns by command what it printed, and the digest of its run. */
export async function resultsOf(commands, { fresh = false, onDone = () => {} } = {}) {
  const version = (await running(process.execPath, [tutti, '--version'])).stdout.trim();
  const file = join(folder, `${version}.jsonl`);
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

/** Commands that make many runs, and about what they cost; the first that a command begins with. */
const wholeTables = [
  ['scripts/calibrate.mjs --quirks', 12],
  ['scripts/calibrate.mjs', 30],
  ['horn network', 12],
  ['scripts/gas.mjs', 15],
  ['horn arrivals', 12],
];

/** About how long a command takes on one core, in runs of 1024 nodes; enough to draw a sample that fits. */
export function costOf(command) {
  const whole = wholeTables.find(([start]) => command.startsWith(start));
  if (whole !== undefined) return whole[1];
  const nodes = Number(/--nodes (\d+)/.exec(command)?.[1] ?? 1024);
  const slow = /complete-graph|gossip/.test(command) ? 10 : /--attack|--absent|--fault/.test(command) ? 3 : 1;
  return 0.2 + slow * (nodes / 1024) ** (slow === 10 ? 2 : 1.1);
}

const hashOf = (text) => createHash('sha256').update(text).digest().readUInt32LE(0);

/** A third of the blocks goes with each run in turn, so that three runs one after the other replay all of them. */
const thirdOf = (name) => hashOf(name) % 3;

/**
 * @template {{ readonly name: string }} Block
 * @param {readonly Block[]} blocks
 * @param {object} options
 * @param {number} options.run of the checks, by its number; blocks of its third are replayed, and by chance some others.
 * @param {number} options.seed of that chance.
 * @param {number} [options.budget] the most that may be spent; undefined for a whole third, and one in ten of the others.
 * @param {(block: Block) => number} [options.costOf]
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
