/**
 * `npm test`: runs the suite, including its set-up; all cases if `CI` is set, otherwise a sample of them. The last line
 * states how many tests passed, failed and were skipped.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { writeGlue } from '../packages/wasm-bls/scripts/kernel-glue.mjs';
import { writeCodeName } from './compile.mjs';
import { must, root, run, runQuietly } from './run.mjs';
import {
  findChromium,
  findFirefox,
  findNotebookPython,
  findRuntimes,
  installDependencies,
  setUpExtensions,
} from './tools.mjs';

await installDependencies();

// By default, Node uses four threads for garbage collection, regardless of the number of cores. On two busy cores,
// these threads mostly wait for each other. Zero means one thread for each core except the first.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --v8-pool-size=0`.trim();

writeCodeName();
writeGlue();
const { chooseKernel } = await import('../packages/wasm-bls/scripts/choose-kernel.mjs');
const { kernel, line } = await chooseKernel();
console.log(line);
const env = { TUTTI_BLS: kernel, VITE_TUTTI_BLS: kernel };

const [[chromium, runtimes, notebookPython, firefox, ofExtensions]] = await Promise.all([
  (async () => {
    // The steps run one after another, because only one process at a time can install Debian packages.
    const found = [await findChromium({ shell: true })];
    const install = process.env.CI !== undefined;
    found.push(await findRuntimes({ install }), await findNotebookPython({ install }), await findFirefox({ install }));
    found.push(await setUpExtensions());
    await checkKernel();
    return found;
  })(),
  (async () => {
    await must('Compiling TypeScript', 'node', ['scripts/compile.mjs', 'apps/node-cli', 'extensions']);
    await must('Bundling the command', 'node', ['scripts/bundle.mjs']);
  })(),
  (async () => {
    await must('Linting', bin('biome'), ['check', '--error-on-warnings', '.']);
    await must('Building the visualiser', 'npm', ['run', 'build', '-w', '@tutti/visualizer', '--loglevel=error'], {
      env,
    });
  })(),
]);

// Vitest need not compile the code again.
env.TUTTI_COMPILED = '1';
// Outside CI, packing need not build everything again, and the page's docs are not built.
if (!process.env.CI) env.TUTTI_BUILT = '1';
env.CHROMIUM_PATH = chromium;
if (firefox) env.FIREFOX_PATH = firefox;
else console.log('• No Firefox: what is tried in Chromium alone is not tried in it');
if (notebookPython) env.NOTEBOOK_PYTHON = notebookPython;
Object.assign(env, ofExtensions);
for (const [name, command] of Object.entries(runtimes)) env[name.toUpperCase()] = command;

const reports = `${root}node_modules/.cache/tutti/reports`;
rmSync(reports, { recursive: true, force: true });
// Sample of the blocks of numbers in the docs: a third of the blocks in CI, otherwise about 4 s on one core. The options
// determine the sample of a commit, so that a failed check can be repeated.
const ciRun = process.env.CI_RUN_NUMBER ?? process.env.GITHUB_RUN_NUMBER;
const numbersSample = [
  ...['--sample', '--seed', String(randomInt(2 ** 32))],
  ...(ciRun === undefined ? [] : ['--run', ciRun]),
  ...(process.env.CI ? [] : ['--budget', '1']),
];
// Browser tests spend time waiting for rendering, and multi-process tests waiting for other processes, so both run at
// the same time as the other tests and use the idle cores.
// The types of the page and of the tests, which are not needed to run them, are checked at the same time.
const [[types, numbers], vitest, playwright] = await Promise.all([
  (async () => [
    await runQuietly('node', ['scripts/compile.mjs']),
    await runQuietly('node', ['scripts/docs-numbers.mjs', ...numbersSample]),
  ])(),
  run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports}/vitest.json`], {
    env,
  }),
  runQuietly(bin('playwright'), ['test', '--reporter=list,json'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/playwright.json` },
  }),
]);

// These checks take minutes on every core, so only CI runs them.
let figures = 0;
let siege = 0;
if (process.env.CI) {
  console.log('• Running the attack soak test, one minute per program, and drawing the figures of the paper');
  [siege, figures] = await Promise.all([
    run('node', ['scripts/part.mjs', 'siege', '--seconds', '60', '--out', `${reports}/siege.md`], { env }),
    runQuietly('node', ['apps/node-cli/bin/tutti.js', 'figures', '--quick', '--out-folder', `${reports}/figures`]),
  ]);
}

const units = report('vitest.json');
const browser = report('playwright.json');
const journeys = browser?.stats;
const passed = (units?.numPassedTests ?? 0) + (journeys?.expected ?? 0);
const skipped = (units?.numPendingTests ?? 0) + (units?.numTodoTests ?? 0) + (journeys?.skipped ?? 0);
const failedUnits = units?.numFailedTests ?? 0;
const failedJourneys = (journeys?.unexpected ?? 0) + (journeys?.flaky ?? 0);
// If a runner fails without a failed test, it could not run some file, which is a failure too. Failures also include a
// claim of the paper that does not hold, a failed siege, and a changed number in the docs.
const failedChecks = [
  [types, 'npm run compile'],
  [numbers, `npm run numbers -- ${numbersSample.join(' ')}`],
  [siege, 'npm run siege -- --seconds 60'],
  [figures, 'tutti figures --quick'],
].flatMap(([code, command]) => (code === 0 ? [] : [`${command}: exit code ${code}; its output is above`]));
const failed =
  failedChecks.length +
  Math.max(failedUnits, vitest === 0 ? 0 : 1) +
  Math.max(failedJourneys, playwright === 0 ? 0 : 1);
// The failures are repeated at the end, since the runners' own lines are thousands of lines above.
for (const line of [...failedChecks, ...failedTests(units), ...failedJourneysOf(browser)])
  console.log(`failed: ${line}`);
console.log(`\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** If the tests use the WebAssembly kernel, compares the kernel with its source, and checks that source. */
async function checkKernel() {
  if (kernel !== 'wasm') return;
  const npmRun = (script, ...args) => [
    'npm',
    ['run', script, '-w', '@tutti/wasm-bls', '--loglevel=error', '--', ...args],
  ];
  // Building the tools takes minutes, so only CI builds them.
  if (process.env.CI) await must("Installing the kernel's build tools", ...npmRun('kernel:tools'));
  await must(
    'Comparing the kernel with its source',
    ...npmRun('kernel:check', ...(process.env.CI ? [] : ['--if-tools'])),
  );
  // Compiling blst takes a minute on one core. CI has compiled the committed sources.
  if (process.env.CI || isChanged('packages/wasm-bls/crate'))
    await must("Checking the kernel's Rust", ...npmRun('kernel:rust', '--if-tools'));
}

/** Returns the path of an npm tool. Finding the tool by npx would take half a second of CPU time. */
function bin(name) {
  return `${root}node_modules/.bin/${name}`;
}

/** Returns whether files of a folder in the working copy differ from the last commit; false outside a repository. */
function isChanged(folder) {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--', folder], { cwd: root, encoding: 'utf8' });
  return Boolean(stdout?.trim());
}

/** Returns the report of a runner; undefined if the runner ended before it wrote the report. */
function report(name) {
  try {
    return JSON.parse(readFileSync(`${reports}/${name}`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns one line for each failed test in a Vitest report, and for each file that could not be run. */
function failedTests(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = name.slice(root.length);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`];
    return failed.map((test) => `${file} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
  });
}

/** Returns one line for each failed journey in a Playwright report, at any depth of its suite. */
function failedJourneysOf(suite) {
  const own = (suite?.specs ?? []).filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'));
  return [
    ...own.map(({ file, line, title }) => `${file}:${line} > ${title}`),
    ...(suite?.suites ?? []).flatMap(failedJourneysOf),
  ];
}

function firstLine(message) {
  return (message ?? '').split('\n', 1)[0];
}
