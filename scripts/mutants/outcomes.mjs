/** Outcomes of mutants: in earlier runs, and on the page about this run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';
import { short } from './places.mjs';

const knownFile = join(root, 'node_modules/.cache/tutti/mutants.json');

/**
 * Mutants that earlier runs saw a test notice. One is not tried again while its source and that test are as they were;
 * what else they import may have changed, so a run from nothing has the last word.
 */
export class Known {
  #file;
  #killed;

  /** @param {boolean} fresh whether to begin with none. */
  constructor(fresh, file = knownFile) {
    this.#file = file;
    this.#killed = fresh || !existsSync(file) ? {} : JSON.parse(readFileSync(file, 'utf8'));
  }

  /** @returns {'test' | 'time' | undefined} how it was noticed, if it was. */
  killed(key, path) {
    const { how, test, digest } = this.#killed[key] ?? {};
    return test !== undefined && existsSync(test) && digest === digestOf(path, test) ? how : undefined;
  }

  add(key, path, test, how) {
    this.#killed[key] = { how, test, digest: digestOf(path, test) };
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#killed));
  }
}

function digestOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path)).update('\0');
  return hash.digest('base64');
}

const minKilled = 0.95;

/**
 * The page about a run, and what is not as it should be.
 *
 * @param {string[]} names of folders
 * @param {Map<string, unknown[]>} folders all their places
 * @param {{ folder: string, name: string, key: string, place: object, outcome: { killed: boolean, how?: string },
 * reason?: string }[]} done
 * @param {{ command: string, left: number }} run
 */
export function summaryOf(names, folders, done, { command, left }) {
  const failures = [];
  const rows = names.map((name) => {
    const mine = done.filter(({ folder }) => folder === name);
    const killed = mine.filter(({ outcome }) => outcome.killed);
    const equal = mine.filter(({ outcome, reason }) => !outcome.killed && reason !== undefined);
    const counted = mine.length - equal.length;
    const share = counted === 0 ? 1 : killed.length / counted;
    if (share < minKilled) failures.push(`${name}: expected 95 % killed, got ${percent(share)}`);
    const byTime = killed.filter(({ outcome }) => outcome.how === 'time').length;
    return `| ${name} | ${folders.get(name).length} | ${mine.length} | ${killed.length} | ${byTime} | ${equal.length} | ${mine.length - killed.length - equal.length} | ${percent(share)} |`;
  });
  const survivors = done.filter(({ outcome }) => !outcome.killed).sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, reason } of survivors) if (reason === undefined) failures.push(`no reason: ${key}`);
  const lines = survivors.map(
    ({ name, place, reason }) =>
      `| \`${name}\` | ${code(place.context)} | ${code(`${short(place.before)} → ${place.after}`)} | ${reason ?? '**none: a test is missing**'} |`,
  );
  const markdown = `# Mutants

*Source: [\`scripts/mutants.mjs\`](../../scripts/mutants.mjs). Written by \`${command}\`${left > 0 ? `, which ran out of time with ${left} places left` : ''}.*

A mutant is the program with one small change: another operator, a number one greater, a condition that always or never
holds, a statement left out. A test that does not notice says nothing about that place. Places are drawn by a seed, as many
of each folder; each mutant is given the test of its own name, those of its folder that reach it, and then those of its
package that do, until one fails or does not end. Mutants that an earlier run killed still count while the source and that test are unchanged; \`--fresh\` tries all anew.
A share is of the mutants that are another program; those that are not are listed with the reason, and tried again by
\`--fresh\` alone.

${together(done)} A share of few places says little of its folder alone.

| folder | places | drawn | killed | of them by never ending | equivalent | alive | share killed |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

${
  lines.length === 0
    ? 'None of those drawn survived.'
    : `## Survivors

| file | line | change | why no test can notice |
|---|---|---|---|
${lines.join('\n')}`
}

**What a fresh draw finds.** A share of all is true of the draw that tests were written for, and flatters the rest. This
draw was a fresh one on 28 November 2026: nobody had seen a place of it, and the machine had little else to do. Of its 138
mutants six are no other program. Of the other 132 the tests of their packages noticed 127, 96 %, with 95 % confidence 91 to
98 % of all: one that the run took for killed is noticed only when packets happen to come in some order, and one that it took
for alive is noticed by tests that load its source when asked, which the list of tests did not follow. What lived had no pattern: a statement that
only a rare scenario needs, a bound, a count that was not set back, two guards. Of the first 20 places of the draw after it
(seed 20261202) 19 were noticed. After more was sampled outside of CI, a fresh draw of 90 (seed 20261205) had 83 of 86
noticed as \`npm test\` samples. Earlier whole draws had 123 of 131, 94 % (27 November, seed 20261129), 81 of 89 (seed
20261128) and 160 of 175 (seed 888), 91 % each, and 35 of 42, 83 % (26 November).

**Why not StrykerJS.** Version 10 was tried with this Vitest. It copies the whole workspace to instrument it, runs all tests
of a room first, and has no seeded sample of a few hundred places; here one Vitest is kept, and is served the mutant in place
of the file, so that a mutant costs a second on a machine that has nothing else to do.
`;
  return { markdown, failures };
}

/** Summary over all folders. If none of n mutants survives, 3/n bounds the share that does, with 95 % confidence. */
function together(done) {
  const counted = done.filter(({ outcome, reason }) => outcome.killed || reason === undefined);
  const killed = counted.filter(({ outcome }) => outcome.killed).length;
  const all = `All together ${killed} of ${counted.length} were killed`;
  if (killed < counted.length || killed === 0) return `${all}.`;
  return `${all}, which shows with 95 % confidence that at most ${percent(3 / killed)} of mutants drawn so live.`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function code(text) {
  return `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}
