/**
 * `npm run mutants`: makes small changes to the sources, one at a time and in memory only, and says which of them no
 * test notices. `--sample N` places of all folders together (300), `--seed S` for others (1), `--folder NAME` for those
 * of one folder, `--minutes M` at most (15), `--jobs N` processes; `--out FILE` for the table (tests/reports/mutants.md
 * when all folders are asked for); `--fresh` tries again what an earlier run saw killed by a test that has not changed
 * since, nor the source, and what is listed in scripts/mutants/equivalent.json. Exit code 1 when a survivor has no
 * reason there, or fewer than 95 % of a folder's mutants were killed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { wrapMarkdown } from './markdown.mjs';
import { folderNames, roomOf, sourcesOf } from './mutants/folders.mjs';
import { Known, summaryOf } from './mutants/outcomes.mjs';
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
const chosen = sample(folders, Number(values.sample), Number(values.seed), ({ key }) => key);
// In turns, so that a run that ends early has seen of each folder.
const queue = Array.from({ length: Number(values.sample) }, (_, turn) =>
  wanted.flatMap((folder) => chosen.get(folder).slice(turn, turn + 1)),
).flat();
console.log(`${queue.length} of ${[...folders.values()].flat().length} places, seed ${values.seed}`);

const endsMs = performance.now() + Number(values.minutes) * 60_000;
/** A test that takes longer on the sources as they are is run on no mutant. */
const maxMs = 600_000;
/** How long each test takes on the sources as they are, ms; infinitely long where that is too long. */
const usualMs = new Map();
const byTime = (a, b) => (usualMs.get(a) ?? Number.POSITIVE_INFINITY) - (usualMs.get(b) ?? Number.POSITIVE_INFINITY);

const earlier = new Known(values.fresh);
const done = [];
async function work() {
  const runners = new Map();
  const run = (test, path, source, limitMs) => {
    const room = roomOf(test);
    if (!runners.has(room)) runners.set(room, new Runner(room));
    return runners.get(room).run(path, source, test, limitMs);
  };

  /**
   * What the first test that notices says: the test of the source's name before the others, those near before those
   * farther away, and the quick before the slow.
   */
  async function tried({ path, tests: [own, ...others], farther, text, place, key }) {
    const known = earlier.killed(key, path);
    if (known !== undefined) return { killed: true, how: known };
    // All of its tests were run when the reason was written, which takes minutes.
    if (!values.fresh && equivalent[key] !== undefined) return { killed: false };
    for (const test of [...(own ? [own] : []), ...others.sort(byTime), ...farther.sort(byTime)]) {
      if (!usualMs.has(test)) {
        const { killed, how, ms, error } = await run(test, path, undefined, maxMs);
        // By its own limit or by this one: what fails so on a loaded machine says nothing of a mutant there.
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
const keys = new Set([...folders.values()].flat().map(({ key }) => key));
for (const key of Object.keys(equivalent))
  if (!keys.has(key)) failures.push(`a reason for a place that is gone: ${key}`);
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);
