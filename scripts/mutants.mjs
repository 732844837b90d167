/**
 * `npm run mutants`: makes small changes to the sources, one at a time and in memory only, and says which of them no test notices.
 * `--sample N` places of all folders together (300), `--seed S` for others (1), `--folder NAME` for those of one folder, `--minutes M` at
 * most (15), `--jobs N` processes; `--out FILE` for the table (docs/mutants.md when all folders are asked for). Exit code 1 when a
 * survivor has no reason in scripts/mutants/equivalent.json, or fewer than 95 % of a folder's mutants were killed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Runner } from './mutants/crew.mjs';
import { folderNames, sourcesOf } from './mutants/folders.mjs';
import { mutate, placeKey, placesOf, sample, short } from './mutants/places.mjs';
import { summaryOf } from './mutants/summary.mjs';
import { root } from './run.mjs';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '15' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    folder: { type: 'string' },
    out: { type: 'string' },
  },
});
for (const name of ['sample', 'seed', 'minutes', 'jobs'])
  if (!/^[1-9]\d{0,8}$/.test(values[name])) fail(`--${name}: expected a number from 1, got ${values[name]}`);
if (values.folder !== undefined && !folderNames.includes(values.folder))
  fail(`--folder: expected ${folderNames.join(' or ')}, got ${values.folder}`);

function fail(line) {
  console.error(line);
  process.exit(2);
}

const equivalent = JSON.parse(readFileSync(new URL('./mutants/equivalent.json', import.meta.url), 'utf8'));
const folders = new Map(
  folderNames.map((folder) => [
    folder,
    sourcesOf(folder).flatMap((source) => {
      const text = readFileSync(source.path, 'utf8');
      const name = relative(root, source.path);
      return placesOf(text).map((place) => ({ ...source, folder, text, place, name, key: placeKey(name, place) }));
    }),
  ]),
);
const wanted = values.folder === undefined ? folderNames : [values.folder];
const chosen = sample(folders, Number(values.sample), Number(values.seed), ({ key }) => key);
const queue = wanted.flatMap((folder) => chosen.get(folder));
console.log(`${queue.length} of ${[...folders.values()].flat().length} places, seed ${values.seed}`);

const endsMs = performance.now() + Number(values.minutes) * 60_000;
/** How long a test takes on the sources as they are. */
const baselines = new Map();

async function baseline(runner, { path, test }) {
  if (baselines.has(test)) return baselines.get(test);
  const { killed, ms, error } = await runner.run(path, undefined, test, 600_000);
  if (killed) throw new Error(`${relative(root, test)}: expected to pass before anything was changed: ${error}`);
  baselines.set(test, ms);
  return ms;
}

const done = [];
async function work() {
  const runners = new Map();
  try {
    for (let next = queue.shift(); next !== undefined && performance.now() < endsMs; next = queue.shift()) {
      const { room, path, tests, text, place, name, key } = next;
      if (!runners.has(room)) runners.set(room, new Runner(room));
      const runner = runners.get(room);
      let outcome = { killed: false };
      for (const test of tests) {
        const usualMs = await baseline(runner, { path, test });
        outcome = await runner.run(path, mutate(text, place), test, 4 * usualMs + 10_000);
        if (outcome.killed) break;
      }
      const reason = equivalent[key];
      done.push({ ...next, outcome, reason });
      const fate = outcome.killed ? `killed by ${outcome.how}` : reason === undefined ? 'SURVIVES' : 'equivalent';
      console.log(`${done.length} ${fate} ${name}:${place.line} ${short(place.before)} -> ${short(place.after)}`);
    }
  } finally {
    for (const runner of runners.values()) runner.close();
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

const command = `npm run mutants -- --sample ${values.sample} --seed ${values.seed}${values.folder ? ` --folder ${values.folder}` : ''}`;
const { markdown, failures } = summaryOf(wanted, folders, done, { command, left: queue.length });
console.log(markdown);
const out = values.out ?? (values.folder === undefined ? `${root}docs/mutants.md` : undefined);
if (out !== undefined) writeFileSync(out, markdown);
const known = new Set([...folders.values()].flat().map(({ key }) => key));
for (const key of Object.keys(equivalent))
  if (!known.has(key)) failures.push(`a reason for a place that is gone: ${key}`);
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
