import { short } from './places.mjs';

/** Minimum share of killed mutants per folder, excluding equivalent mutants. */
const minKilled = 0.95;

/**
 * Returns the page about a run, and the failures of the run.
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
    if (share < minKilled) failures.push(`${name}: expected ${percent(minKilled)} killed, got ${percent(share)}`);
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

${together(done)} The percentage of a single folder is based on few places. Tests may have been added for the mutants of this sample. [Fresh samples](mutant-samples.md) show the share without them.

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
`;
  return { markdown, failures };
}

/**
 * Summarises all folders. If none of n mutants survives, the share of survivors is at most 1 - 0.05^(1/n) with 95 %
 * confidence.
 */
function together(done) {
  const counted = done.filter(({ outcome, reason }) => outcome.killed || reason === undefined);
  const killed = counted.filter(({ outcome }) => outcome.killed).length;
  const all = `The tests killed ${killed} of ${counted.length} mutants`;
  if (killed < counted.length || killed === 0) return `${all}.`;
  return `${all}, so with 95 % confidence at most ${percent(1 - 0.05 ** (1 / killed))} of mutants sampled in this way survive.`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function code(text) {
  return `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}
