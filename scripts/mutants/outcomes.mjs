/** Outcomes of mutants: those of earlier runs, and the page about the present run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';
import { short } from './places.mjs';

const knownFile = join(root, 'node_modules/.cache/tutti/mutants.json');

/**
 * Mutants that a test detected in earlier runs. A mutant is not tried again while its source and that test are
 * unchanged. Their other imports may have changed, so only a fresh run is conclusive.
 */
export class Known {
  #file;
  #killed;

  /** @param {boolean} fresh whether to ignore earlier runs. */
  constructor(fresh, file = knownFile) {
    this.#file = file;
    this.#killed = fresh || !existsSync(file) ? {} : JSON.parse(readFileSync(file, 'utf8'));
  }

  /** @returns {'test' | 'time' | undefined} how the mutant was detected, if it was. */
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
 * Returns the page about a run, and its failures.
 *
 * @param {string[]} names names of folders
 * @param {Map<string, unknown[]>} folders all places of each folder
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
  const markdown = `# Mutation tests

*Source: [\`scripts/mutants.mjs\`](../../scripts/mutants.mjs). Written by \`${command}\`${left > 0 ? `, which ran out of time with ${left} places left` : ''}.*

A mutant is the program with one small change: another operator, a number increased by one, a condition that is always or
never true, or a removed statement. If no test fails, the tests do not cover this behaviour. A seed selects the places of
the mutants, the same number per folder. Each mutant runs with the test of the same name, then with the tests of its folder
that reach the place, then with those of its package, until one fails or does not end. Mutants that an earlier run killed
still count while their source and test are unchanged; \`--fresh\` runs all again. Percentages exclude equivalent mutants,
which behave like the original program. The report lists them with a reason, and only \`--fresh\` runs them again.

${together(done)} The percentage of a single folder is based on few places.

| folder | places | sampled | killed | of these by timeout | equivalent | alive | share killed |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

${
  lines.length === 0
    ? 'No sampled mutant survived.'
    : `## Surviving and equivalent mutants

| file | line | change | reason |
|---|---|---|---|
${lines.join('\n')}`
}

**Fresh samples.** Tests have been added for the mutants of this sample, so the percentage above is too optimistic for
other places. On 28 November 2026, before that, the tests of their packages detected 127 of its 132 mutants: 96 %, with a
95 % confidence interval of 91 to 98 %. One mutant counted as killed is detected only with some orders of packets. One
counted as alive is detected by tests that load its source dynamically, which the list of tests did not include. The
survivors had no common pattern: a statement that only a rare scenario needs, a limit, a counter that was not reset, two
guards. Of the first 20 places of the next sample (seed 20261202), the tests detected 19. After more tests were sampled
outside CI, \`npm test\` detected 83 of 86 in a fresh sample of 90 (seed 20261205). Earlier complete samples had 123 of 131,
94 % (27 November, seed 20261129), 81 of 89 (seed 20261128) and 160 of 175 (seed 888), 91 % each, and 35 of 42, 83 % (26
November).

**Comparison with StrykerJS.** We tested version 10 with this Vitest version. StrykerJS copies the whole workspace to
instrument it, runs all tests of a package first, and cannot select a few hundred places at random from a seed.
\`npm run mutants\` reuses one Vitest process and loads the mutant instead of the file, so a mutant takes one second on an
idle machine.
`;
  return { markdown, failures };
}

/**
 * Summarises all folders. If none of n mutants survives, the share of survivors is at most 3/n with 95 % confidence.
 */
function together(done) {
  const counted = done.filter(({ outcome, reason }) => outcome.killed || reason === undefined);
  const killed = counted.filter(({ outcome }) => outcome.killed).length;
  const all = `The tests killed ${killed} of ${counted.length} mutants`;
  if (killed < counted.length || killed === 0) return `${all}.`;
  return `${all}, so with 95 % confidence at most ${percent(3 / killed)} of mutants sampled in this way survive.`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function code(text) {
  return `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}
