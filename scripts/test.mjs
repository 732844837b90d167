/** `npm test`: the whole suite, set-up included. The last line says how many tests passed, failed and were skipped. */
import { readFileSync, rmSync } from 'node:fs';
import { installDependencies } from './dependencies.mjs';
import { must, root, run, runQuietly } from './run.mjs';

await installDependencies();

const { chooseKernel } = await import('../packages/wasm-bls/scripts/choose-kernel.mjs');
const { kernel, line } = await chooseKernel();
console.log(line);
const env = { TUTTI_BLS: kernel, VITE_TUTTI_BLS: kernel };

await must('Linting', 'npx', ['biome', 'check', '--error-on-warnings', '.']);
await must('Compiling TypeScript', 'npx', ['tsc', '-b']);
await must('Building the visualiser', 'npm', ['run', 'build', '-w', '@tutti/visualizer', '--loglevel=error'], { env });
if (kernel === 'wasm') {
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
}

const { findChromium } = await import('./chromium.mjs');
env.CHROMIUM_PATH = await findChromium();

const { findRedisServer } = await import('./redis.mjs');
const redisServer = await findRedisServer();
if (redisServer) env.REDIS_SERVER = redisServer;
else console.log('• No redis-server: the tests of sweeps through Redis are skipped');

const { installTestbedTools } = await import('./testbedTools.mjs');
await installTestbedTools();

const reports = `${root}node_modules/.cache/tutti/reports`;
rmSync(reports, { recursive: true, force: true });
const vitest = (name, ...args) => [
  'npx',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports}/${name}.json`, ...args],
  { env },
];
// Journeys and processes wait for a screen, a socket or a child much of the time: beside the rooms they fill what those leave idle.
const [[rooms, between], playwright] = await Promise.all([
  (async () => [
    await run(...vitest('rooms', '--project=!tests')),
    await run(...vitest('between', '--project=tests')),
  ])(),
  runQuietly('npx', ['playwright', 'test', '--reporter=list,json'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/playwright.json` },
  }),
]);

// Minutes of every core, which only the project's own machines are asked for.
let figures = 0;
let siege = 0;
if (process.env.CI) {
  console.log('• Besieging what runs, a minute each, and drawing the figures of the paper');
  [siege, figures] = await Promise.all([
    run('node', ['scripts/siege.mjs', '--seconds', '60', '--out', `${reports}/siege.md`], { env }),
    runQuietly('node', ['apps/node-cli/bin/tutti.js', 'figures', '--quick', '--out', `${reports}/figures`]),
  ]);
}

const units = ['rooms', 'between'].map((name) => report(`${name}.json`));
const sumOf = (count) => units.reduce((sum, one) => sum + (one?.[count] ?? 0), 0);
const browser = report('playwright.json');
const journeys = browser?.stats;
const passed = sumOf('numPassedTests') + (journeys?.expected ?? 0);
const skipped = sumOf('numPendingTests') + sumOf('numTodoTests') + (journeys?.skipped ?? 0);
const failedUnits = sumOf('numFailedTests');
const failedJourneys = (journeys?.unexpected ?? 0) + (journeys?.flaky ?? 0);
// A runner that fails without a failed test could not run some file: that is a failure too; so is a claim of the paper that does not hold, and a siege that is lost.
const failed =
  Math.max(failedUnits, rooms + between === 0 ? 0 : 1) +
  Math.max(failedJourneys, playwright === 0 ? 0 : 1) +
  (figures === 0 ? 0 : 1) +
  (siege === 0 ? 0 : 1);
// Said again at the end: the runners' own lines stand thousands of lines above.
for (const line of [...units.flatMap(failedTests), ...failedJourneysOf(browser)]) console.log(`failed: ${line}`);
console.log(`\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** What a runner wrote down, or undefined when it ended before it could. */
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
    ...own.map(({ file, line, title }) => `tests/browser/${file}:${line} > ${title}`),
    ...(suite?.suites ?? []).flatMap(failedJourneysOf),
  ];
}

function firstLine(message) {
  return (message ?? '').split('\n', 1)[0];
}
