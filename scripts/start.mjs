/**
 * `npm start`: prepares a fresh clone, serves the visualiser and prints its address; the docs follow half a minute
 * later.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { must, root } from './run.mjs';
import { installDependencies } from './tools.mjs';

if (process.argv.length > 2) {
  console.error(`npm start: expected no arguments, got ${process.argv[2]}; PORT=8081 npm start selects another port`);
  process.exit(2);
}

const { PORT = '' } = process.env;
if (!/^\d{0,5}$/.test(PORT)) {
  console.error(`PORT: expected a port number, got ${PORT}`);
  process.exit(2);
}

await installDependencies();

const { chooseKernel } = await import('../packages/wasm-bls/scripts/choose-kernel.mjs');
const { kernel, line } = await chooseKernel();
console.log(line);

await must('Compiling TypeScript', 'node', ['scripts/compile.mjs', 'apps/node-cli', 'apps/visualizer', 'extensions']);
await must('Bundling the command', 'node', ['scripts/bundle.mjs']);

const { build, preview } = await import('vite');
process.env.VITE_TUTTI_BLS = kernel;
const visualizer = { root: `${root}apps/visualizer`, configFile: `${root}apps/visualizer/vite.config.ts` };
console.log('• Building the visualiser');
await build({ ...visualizer, logLevel: 'warn' });
const { pagePort } = await import('../apps/node-cli/dist/live/builtPage.js');
const port = Number(PORT || pagePort);
const server = await preview({ ...visualizer, logLevel: 'warn', preview: { port, strictPort: true } }).catch(
  ({ message }) => {
    // At any other port, the links of `tutti open` would lead to another program's page.
    console.error(`npm start: ${message}; name a free port: PORT=${port + 1} npm start`);
    process.exit(1);
  },
);
// npm passes signals to its shell, which ends without ending this process. Therefore the server ends together with its
// parent process.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, 500).unref();
const address = server.resolvedUrls?.local[0];
console.log(`\nTutti is at ${address}   (Ctrl-C ends it)`);

// The page links to the docs, and the server looks up each file on request, so the docs can follow later.
const docs = spawn(process.execPath, ['scripts/docs.mjs'], { cwd: root, stdio: 'ignore' });
setPriority(docs.pid, 10);
process.on('exit', () => docs.kill());
docs.on('exit', (code) =>
  console.log(code === 0 ? `The docs are at ${address}docs/` : 'The docs were not built; npm run docs says why'),
);
