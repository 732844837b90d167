/**
 * `npm run numbers`: prints the numbers of the docs again, by the commands that each block of them names, and says
 * which differ from the pages; exit code 1 then. `--write` writes them into the pages, and which numbers stand outside
 * of blocks into tests/vectors/given-numbers.json, which `--given` does alone. What was printed by the same
 * code before is not run again. Words choose the pages whose names hold one of them; `--long` takes the blocks that
 * take many minutes too. `--sample` replays a sample as CI does: a third in turn by the number of the commit (`--run`
 * for another) and one in ten of the others, drawn by a seed that it prints (`--seed`); `--budget N` of them about as
 * many as N runs of 1024 nodes take.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blocksOf, commandsOf, givenFile, givenNow, pagesWithNumbers, rendered } from './docs-numbers/blocks.mjs';
import { costOf, resultsOf, sampleOf } from './docs-numbers/runs.mjs';
import { root } from './run.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    given: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    sample: { type: 'boolean', default: false },
    run: { type: 'string' },
    seed: { type: 'string' },
    budget: { type: 'string' },
  },
});

if (values.given) {
  writeGiven();
  process.exit(0);
}

const all = pagesWithNumbers()
  .filter((page) => positionals.length === 0 || positionals.some((word) => page.includes(word)))
  .flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8')))
  .filter(({ isLong }) => values.long || !isLong);
const blocks = values.sample ? sampled() : all;
const commands = [...new Set(blocks.flatMap(commandsOf))];
console.log(`${blocks.length} blocks of numbers, ${commands.length} commands`);
let done = 0;
const results = await resultsOf(commands, {
  fresh: values.sample,
  onDone: (command) => console.log(`${++done}: tutti ${command}`),
});

const stale = blocks.filter((block) => rendered(block, results) !== block.whole);
for (const block of stale) console.log(`${block.name}: ${values.write ? 'rewritten' : 'stale'}\n${difference(block)}`);
if (values.write) for (const page of new Set(stale.map(({ page }) => page))) rewrite(page);
console.log(
  `${blocks.length - stale.length} blocks are as printed now, ${stale.length} ${values.write ? 'rewritten' : 'stale'}`,
);
if (stale.length > 0 && !values.write) {
  console.error("stale numbers: expected the docs as their commands print them; run 'npm run numbers -- --write'");
  process.exit(1);
}

if (values.write) writeGiven();

function writeGiven() {
  writeFileSync(givenFile, `${JSON.stringify(givenNow(), undefined, 2)}\n`);
}

function sampled() {
  const commits = execFileSync('git', ['-C', root, 'rev-list', '--count', 'HEAD'], { encoding: 'utf8' });
  const run = Number(values.run ?? process.env.CI_RUN_NUMBER ?? process.env.GITHUB_RUN_NUMBER ?? commits);
  const seed = Number(values.seed ?? randomInt(2 ** 32));
  console.log(`sample: --run ${run} --seed ${seed}`);
  const budget = values.budget === undefined ? undefined : Number(values.budget);
  const cost = (block) => commandsOf(block).reduce((sum, command) => sum + costOf(command), 0);
  return sampleOf(all, { run, seed, budget, costOf: cost });
}

function difference(block) {
  const [before, now] = [block.whole, rendered(block, results)].map((text) => text.split('\n'));
  const lines = before.flatMap((line, at) => (line === now[at] ? [] : [`- ${line}`, `+ ${now[at] ?? ''}`]));
  return lines.slice(0, 40).join('\n');
}

function rewrite(page) {
  const file = join(root, page);
  let text = readFileSync(file, 'utf8');
  for (const block of stale.filter((one) => one.page === page)) {
    const { whole } = block;
    text = text.replace(whole, () => rendered(block, results));
  }
  writeFileSync(file, text);
}
