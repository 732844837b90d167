/** `npm test`: the whole suite, set-up included. The last line says how many tests passed, failed and were skipped. */
import { readFileSync, rmSync } from 'node:fs';
import { installDependencies } from './dependencies.mjs';
import { must, root, run } from './run.mjs';

await installDependencies();

const { chooseKernel } = await import('../packages/wasm-bls/scripts/choose-kernel.mjs');
const { kernel, line } = await chooseKernel();
console.log(line);
const env = { TUTTI_BLS: kernel, VITE_TUTTI_BLS: kernel };

await must('Linting', 'npx', ['biome', 'check', '--error-on-warnings', '.']);
await must('Compiling TypeScript', 'npx', ['tsc', '-b']);
await must('Building the visualiser', 'npm', ['run', 'build', '-w', '@tutti/visualizer', '--loglevel=error'], { env });
if (kernel === 'wasm')
  await must('Comparing the kernel with its source', 'node', ['packages/wasm-bls/scripts/check-kernel.mjs']);

const { findChromium } = await import('./chromium.mjs');
env.CHROMIUM_PATH = await findChromium();

const { findRedisServer } = await import('./redis.mjs');
const redisServer = await findRedisServer();
if (redisServer) env.REDIS_SERVER = redisServer;
else console.log('• No redis-server: the tests of sweeps through Redis are skipped');

const reports = `${root}node_modules/.cache/tutti/reports`;
rmSync(reports, { recursive: true, force: true });
const vitest = await run(
  'npx',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports}/vitest.json`],
  { env },
);
const playwright = await run('npx', ['playwright', 'test', '--reporter=list,json'], {
  env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/playwright.json` },
});

const units = JSON.parse(readFileSync(`${reports}/vitest.json`, 'utf8'));
const { stats } = JSON.parse(readFileSync(`${reports}/playwright.json`, 'utf8'));
const passed = units.numPassedTests + stats.expected;
const failed = units.numFailedTests + units.numFailedTestSuites + stats.unexpected + stats.flaky;
const skipped = units.numPendingTests + units.numTodoTests + stats.skipped;
console.log(`\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(vitest !== 0 || playwright !== 0 || failed > 0 || passed === 0 ? 1 : 0);
