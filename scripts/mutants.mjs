/**
 * `npm run mutants`: makes small changes to the sources, one at a time and only in memory, and reports the changes that
 * no test detects. The exit code is 1 if a surviving mutant has no reason in scripts/mutants/equivalent.json, or if
 * fewer than 95 % of a folder's mutants were killed. Places that have not been tried when the time limit is reached do
 * not affect the exit code.
 *
 * StrykerJS 10 copies the whole workspace to instrument it, runs all tests of a package first, and cannot select a few
 * hundred places at random from a seed. This script reuses one Vitest process and loads the mutant instead of the
 * original file.
 *
 * - `--sample N`: number of places in all selected folders together (default 300).
 * - `--seed S`: seed of the sample (default 1).
 * - `--folder NAME`: selects one folder.
 * - `--minutes M`: time limit (default 15).
 * - `--jobs N`: number of processes.
 * - `--out FILE`: file of the table (default tests/reports/mutants.md if all folders are included).
 * - `--fresh`: also tries the mutants in equivalent.json, and mutants of unchanged sources that an unchanged test
 *   killed in an earlier run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { wrapMarkdown } from './markdown.mjs';
import { folderNames, packageOf, sourcesOf } from './mutants/folders.mjs';
import { Known } from './mutants/known.mjs';
import { summaryOf } from './mutants/outcomes.mjs';
import { mutate, placeKey, placesOf, sample, short } from './mutants/places.mjs';
import { Runner } from './mutants/runner.mjs';
import { root } from './run.mjs';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '15' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    folder: { type: 'string' },
    out: { type: 'string' },
    fresh: { type: 'boolean', default: false },
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
for (const [folder, places] of folders)
  if (places.length === 0) fail(`${folder}: expected sources to change, found none`);
const wanted = values.folder === undefined ? folderNames : [values.folder];
const places = new Map(wanted.map((folder) => [folder, folders.get(folder)]));
const chosen = sample(places, Number(values.sample), Number(values.seed), ({ key }) => key);
// Folders take turns, so that each folder has been partly covered if a run ends early.
const queue = Array.from({ length: Number(values.sample) }, (_, turn) =>
  wanted.flatMap((folder) => chosen.get(folder).slice(turn, turn + 1)),
).flat();
console.log(`${queue.length} of ${[...places.values()].flat().length} places, seed ${values.seed}`);

const endsMs = performance.now() + Number(values.minutes) * 60_000;
/** Maximum time of a test on the unchanged sources, ms. Slower tests run on no mutant. */
const maxMs = 600_000;
/** Time of each test on the unchanged sources, ms; infinite if the time exceeds the maximum. */
const usualMs = new Map();
const byTime = (a, b) => (usualMs.get(a) ?? Number.POSITIVE_INFINITY) - (usualMs.get(b) ?? Number.POSITIVE_INFINITY);

const earlier = new Known(values.fresh);
const done = [];
async function work() {
  const runners = new Map();
  const run = (test, path, source, limitMs) => {
    const folder = packageOf(test);
    if (!runners.has(folder)) runners.set(folder, new Runner(folder));
    return runners.get(folder).run(path, source, test, limitMs);
  };

  /**
   * Returns the message of the first test that detects a mutant. The test with the source's name runs first, then near
   * tests before distant tests, and fast tests before slow tests.
   */
  async function tried({ path, tests: [own, ...others], farther, text, place, key }) {
    const known = earlier.killed(key, path);
    if (known !== undefined) return { killed: true, how: known };
    // All of the mutant's tests, which take minutes, were run when the reason was written.
    if (!values.fresh && equivalent[key] !== undefined) return { killed: false };
    for (const test of [...(own ? [own] : []), ...others.sort(byTime), ...farther.sort(byTime)]) {
      if (!usualMs.has(test)) {
        const { killed, how, ms, error } = await run(test, path, undefined, maxMs);
        // A timeout may be caused by the test's own limit or by this limit. A timeout on a busy machine says nothing
        // about a mutant.
        if (how === 'time')
          console.log(`${relative(root, test)}: takes too long before anything was changed, left out`);
        else if (killed)
          throw new Error(`${relative(root, test)}: expected to pass before anything was changed: ${error}`);
        usualMs.set(test, how === 'time' ? Number.POSITIVE_INFINITY : ms);
      }
      if (usualMs.get(test) === Number.POSITIVE_INFINITY) continue;
      const outcome = await run(test, path, mutate(text, place), 4 * usualMs.get(test) + 10_000);
      if (!outcome.killed) continue;
      earlier.add(key, path, test, outcome.how);
      return outcome;
    }
    return { killed: false };
  }

  try {
    while (queue.length > 0 && performance.now() < endsMs) {
      const next = queue.shift();
      const { place, name, key } = next;
      const outcome = await tried(next);
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
const out = values.out ?? (values.folder === undefined ? `${root}tests/reports/mutants.md` : undefined);
if (out !== undefined) writeFileSync(out, wrapMarkdown(markdown));
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
