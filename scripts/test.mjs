/** `npm test`: the whole suite, set-up included. The last line says how many tests passed, failed and were skipped. */
import { spawnSync } from 'node:child_process';
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

// Node gives a process four threads for its garbage, whatever the machine: on two cores, which are busy throughout, they
// mostly wait for each other. Zero is one for each core but the first.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --v8-pool-size=0`.trim();

writeCodeName();
writeGlue();
const { chooseKernel } = await import('../packages/wasm-bls/scripts/choose-kernel.mjs');
const { kernel, line } = await chooseKernel();
console.log(line);
const env = { TUTTI_BLS: kernel, VITE_TUTTI_BLS: kernel };

const [[chromium, runtimes, notebookPython, firefox, ofExtensions]] = await Promise.all([
  (async () => {
    // One after the other: Debian's packages are installed by one process at a time.
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

// Vitest need not compile it again.
env.TUTTI_COMPILED = '1';
// Nor is all built again to be packed, nor are the docs made that the page serves, but where there is time.
if (!process.env.CI) env.TUTTI_BUILT = '1';
env.CHROMIUM_PATH = chromium;
if (firefox) env.FIREFOX_PATH = firefox;
else console.log('• No Firefox: what is tried in Chromium alone is not tried in it');
if (notebookPython) env.NOTEBOOK_PYTHON = notebookPython;
Object.assign(env, ofExtensions);
for (const [name, command] of Object.entries(runtimes)) env[name.toUpperCase()] = command;

const reports = `${root}node_modules/.cache/tutti/reports`;
rmSync(reports, { recursive: true, force: true });
// Browser tests wait for a screen, and processes for each other, so they use the idle time of the other tests. The
// types of the page and of the tests, which run without them, are checked there too.
const [[types, numbers], vitest, playwright] = await Promise.all([
  (async () => [
    await runQuietly('node', ['scripts/compile.mjs']),
    // A sample of what the docs' blocks of numbers say: some 8 s of a core here, a third of them where there is time.
    await runQuietly('node', ['scripts/docs-numbers.mjs', '--sample', ...(process.env.CI ? [] : ['--budget', '3'])]),
  ])(),
  run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports}/vitest.json`], {
    env,
  }),
  runQuietly(bin('playwright'), ['test', '--reporter=list,json'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/playwright.json` },
  }),
]);

// Minutes of every core, which only the project's own machines are asked for.
let figures = 0;
let siege = 0;
if (process.env.CI) {
  console.log('• Besieging what runs, a minute each, and drawing the figures of the paper');
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
// A runner that fails without a failed test could not run some file: that is a failure too; so is a claim of the paper
// that does not hold, a siege that is lost, and a number of the docs that is printed otherwise now.
const failed =
  (types === 0 ? 0 : 1) +
  Math.max(failedUnits, vitest === 0 ? 0 : 1) +
  Math.max(failedJourneys, playwright === 0 ? 0 : 1) +
  (figures === 0 ? 0 : 1) +
  (siege === 0 ? 0 : 1) +
  (numbers === 0 ? 0 : 1);
// Said again at the end: the runners' own lines stand thousands of lines above.
if (types !== 0) console.log("failed: npm run compile: types, which it prints above Vitest's lines");
for (const line of [...failedTests(units), ...failedJourneysOf(browser)]) console.log(`failed: ${line}`);
console.log(`\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** Compares the kernel with its source, and checks that source, where the kernel is the one that is tested. */
async function checkKernel() {
  if (kernel !== 'wasm') return;
  const npmRun = (script, ...args) => [
    'npm',
    ['run', script, '-w', '@tutti/wasm-bls', '--loglevel=error', '--', ...args],
  ];
  // Building the tools takes minutes, which only the project's own machines are asked for.
  if (process.env.CI) await must("Installing the kernel's build tools", ...npmRun('kernel:tools'));
  await must(
    'Comparing the kernel with its source',
    ...npmRun('kernel:check', ...(process.env.CI ? [] : ['--if-tools'])),
  );
  // To compile blst takes a minute of a core: CI has done so for what is committed.
  if (process.env.CI || isChanged('packages/wasm-bls/crate'))
    await must("Checking the kernel's Rust", ...npmRun('kernel:rust', '--if-tools'));
}

/** A tool of ours, by its file: npx takes half a second of CPU to find it. */
function bin(name) {
  return `${root}node_modules/.bin/${name}`;
}

/** Whether the working copy has other files there than the last commit; not where there is no repository. */
function isChanged(folder) {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--', folder], { cwd: root, encoding: 'utf8' });
  return Boolean(stdout?.trim());
}

/** Report of a runner, or undefined if the runner ended before it wrote one. */
function report(name) {
  try {
    return JSON.parse(readFileSync(`${reports}/${name}`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A line for each test that failed in a report of Vitest, and for each file that could not be run. */
function failedTests(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = name.slice(root.length);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`];
    return failed.map((test) => `${file} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
  });
}

/** A line for each journey that failed in a report of Playwright, whatever the depth of its suite. */
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
